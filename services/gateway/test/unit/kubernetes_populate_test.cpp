#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "services/gateway/core/names.hpp"
#include "services/gateway/core/objects.hpp"
#include "services/gateway/core/volumes.hpp"
#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"
#include "services/gateway/kubernetes/volumes/populate.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

json::value parsed(std::string const& text) { return json::parse(text).value(); }
json::value claim() {
  return parsed(R"({"kind":"PersistentVolumeClaim","metadata":{"namespace":"media","name":"photos","uid":"u1","resourceVersion":"1",
    "annotations":{"volume.kubernetes.io/selected-node":"n1"}},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"near",
    "resources":{"requests":{"storage":"1Gi"}},"volumeAttributesClassName":"fast",
    "dataSourceRef":{"apiGroup":"kopiur.home-operations.com","kind":"Restore","name":"back"}}})");
}
json::value volume_of_prime() {
  return parsed(R"({"kind":"PersistentVolume","metadata":{"name":"v","uid":"u3","resourceVersion":"7"},
    "spec":{"persistentVolumeReclaimPolicy":"Delete","claimRef":{"namespace":"media","name":"prime-u1","uid":"u2","resourceVersion":"5"}}})");
}
json::value with(json::value object, std::string const& patch) {
  json::merge(object, parsed(patch));
  return object;
}
json::value held(json::value content) {
  return with(std::move(content), R"({"metadata":{"finalizers":["a","kopiur.home-operations.com/populate-target-protection"]}})");
}
json::value filled(json::value content, std::string const& snapshot = "k1", std::string const& by = "back") {
  return with(std::move(content), R"({"metadata":{"annotations":{"kopiur.home-operations.com/restored-by":")" + by +
                                      R"(","kopiur.home-operations.com/restored-snapshot":")" + snapshot +
                                      R"(","kopiur.home-operations.com/restored-at":"2026-01-01T00:00:00Z"}}})");
}
json::value bound(json::value content, std::string const& target = "v") {
  return with(std::move(content), R"({"spec":{"volumeName":")" + target + R"("},"status":{"phase":"Bound"}})");
}
json::value going(json::value content) { return with(std::move(content), R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})"); }
json::value prime(std::string const& filled_before = "") {
  return bound(with(prime_manifest(claim(), filled_before), R"({"metadata":{"uid":"u2"}})"));
}
json::value handed(json::value volume = volume_of_prime()) {
  json::merge(volume, hand_over_patch(volume, claim()));
  return volume;
}
json::value restore(std::string const& uid, std::string const& phase) {
  return parsed(R"({"kind":"Restore","metadata":{"name":"back"},"status":{"claims":[{"uid":")" + uid + R"(","phase":")" + phase +
                R"("}]}})");
}

std::string name_of(populate_step const& step) {
  struct names {
    std::string operator()(nothing_due const&) { return ""; }
    std::string operator()(hold_claim const&) { return "hold"; }
    std::string operator()(make_prime const&) { return "make prime"; }
    std::string operator()(hand_over const&) { return "hand over"; }
    std::string operator()(delete_prime const& it) { return it.verify ? "delete prime, verified" : "delete prime"; }
    std::string operator()(free_prime const&) { return "free prime"; }
    std::string operator()(release_volume const&) { return "release volume"; }
    std::string operator()(release_claim const& it) { return "let go " + it.reason; }
    std::string operator()(complain const& it) { return "complain " + it.reason; }
  };
  return std::visit(names{}, step);
}
std::string step(json::value const& content, std::optional<json::value> prime = {}, std::optional<json::value> volume = {},
                 std::optional<json::value> restore = {}) {
  auto pointer = [](std::optional<json::value> const& one) { return one ? &*one : nullptr; };
  return name_of(next_step({.claim = content, .prime = pointer(prime), .volume = pointer(volume), .restore = pointer(restore)}));
}

TEST(PrimeClaim, IsLikeItsClaimButForTheDataSource) {
  auto made = prime_manifest(bound(claim()), "before");
  EXPECT_EQ(made.text("metadata.name"), "prime-u1");
  EXPECT_EQ(made.text("metadata.namespace"), "media");
  EXPECT_EQ(annotation(made, "volume.kubernetes.io/selected-node"), "n1");
  EXPECT_EQ(json::dump(*made.find("spec")),
            R"({"accessModes":["ReadWriteOnce"],"storageClassName":"near","resources":{"requests":{"storage":"1Gi"}},)"
            R"("volumeAttributesClassName":"fast"})");
  EXPECT_TRUE(is_prime_of(made, claim()));
  EXPECT_FALSE(is_prime_of(made, with(claim(), R"({"metadata":{"uid":"u9"}})"))) << "one made again under the name";
  EXPECT_FALSE(is_prime(claim()));
}

TEST(PrimeClaim, IsOfClaimsThatNameARestoreOfTheirNamespace) {
  auto source = [](std::string const& member, std::string const& target) {
    return with(claim(), R"({"spec":{"dataSourceRef":{")" + member + R"(":")" + target + R"("}}})");
  };
  EXPECT_EQ(filling_restore(claim()), "back");
  EXPECT_EQ(filling_restore(source("namespace", "media")), "back");
  EXPECT_EQ(filling_restore(source("namespace", "other")), "");
  EXPECT_EQ(filling_restore(source("apiGroup", "other.example")), "");
  EXPECT_EQ(filling_restore(source("kind", "VolumeSnapshot")), "");
}

TEST(Populate, GoesOnFromWhateverThereIs) {
  auto const it = held(claim());
  EXPECT_EQ(step(claim()), "") << "the mover's Job brings it";
  EXPECT_EQ(step(it), "") << "cut off before the prime claim was made: the command comes again";
  EXPECT_EQ(step(claim(), prime()), "hold");
  EXPECT_EQ(step(it, prime(), volume_of_prime()), "") << "being filled";
  EXPECT_EQ(step(filled(it), prime(), volume_of_prime()), "hand over");
  EXPECT_EQ(step(filled(it), prime()), "") << "its volume is not seen yet";
  EXPECT_EQ(step(filled(it), prime(), handed()), "") << "not bound yet";
  EXPECT_EQ(step(bound(filled(it)), prime(), handed()), "delete prime, verified");
  EXPECT_EQ(step(bound(filled(it)), going(prime()), handed()), "free prime");
  EXPECT_EQ(step(bound(filled(it)), {}, handed()), "let go Restored");
  EXPECT_EQ(step(bound(filled(claim())), {}, handed()), "release volume");
  EXPECT_EQ(step(bound(filled(claim())), {}, bound(volume_of_prime())), "");
  EXPECT_EQ(step(with(filled(it), R"({"spec":{"volumeName":"v"}})"), prime(), handed()), "") << "the volume controller is not done";
}

TEST(Populate, BelievesAMarkOnlyThatCameAfterThePrimeClaim) {
  EXPECT_EQ(step(filled(held(claim())), prime("2026-01-01T00:00:00Z"), volume_of_prime()), "")
      << "copied from another claim, or filled before";
  EXPECT_EQ(step(filled(held(claim()), "k1", "other"), prime(), volume_of_prime()), "") << "another Restore's";
}

TEST(Populate, LetsAClaimStayEmptyWhenItsRestoreSaysSo) {
  auto const empty = filled(claim(), "none");
  EXPECT_EQ(step(empty, {}, {}, restore("u1", "Completed")), "hold");
  EXPECT_EQ(step(held(empty), {}, {}, restore("u1", "Completed")), "make prime");
  EXPECT_EQ(step(held(empty), prime(), volume_of_prime(), restore("u1", "Completed")), "hand over");
  EXPECT_EQ(step(empty, {}, {}, restore("u9", "Completed")), "") << "the claim's own word may be a copy";
  EXPECT_EQ(step(empty, {}, {}, restore("u1", "Restoring")), "");
  EXPECT_EQ(step(empty), "");
  EXPECT_EQ(step(filled(claim()), {}, {}, restore("u1", "Completed")), "") << "it was not found empty";
}

TEST(Populate, TakesAwayPodsThatHaveEndedAndUseThePrimeClaim) {
  auto pod = [](std::string const& name, std::string const& phase, std::string const& claim) {
    return R"({"metadata":{"namespace":"media","name":")" + name +
           R"(","uid":"u"},"spec":{"volumes":[{"name":"job"},{"persistentVolumeClaim":{"claimName":")" + claim +
           R"("}}]},"status":{"phase":")" + phase + R"("}})";
  };
  auto pods = ended_pods(parsed(R"({"items":[)" + pod("a", "Succeeded", "prime-u1") + "," + pod("b", "Running", "prime-u1") + "," +
                                pod("c", "Failed", "prime-u1") + "," + pod("d", "Failed", "other") + "]}"),
                         "prime-u1");
  ASSERT_EQ(pods.size(), 2U);
  EXPECT_EQ(pods[0].name + pods[1].name, "ac");
}

TEST(Populate, CleansUpWhenTheClaimNoLongerNeedsIt) {
  auto const it = going(held(claim()));
  EXPECT_EQ(step(it, prime(), volume_of_prime()), "delete prime");
  EXPECT_EQ(step(it, going(prime()), volume_of_prime()), "free prime");
  EXPECT_EQ(step(it), "let go ");
  EXPECT_EQ(step(filled(it), {}, handed()), "let go ") << "its volume's marks go last";
  EXPECT_EQ(step(going(claim()), {}, handed()), "release volume");
  EXPECT_EQ(step(going(claim())), "");
  EXPECT_EQ(step(bound(held(claim()), "other"), prime(), volume_of_prime()), "delete prime");
  EXPECT_EQ(step(bound(held(claim()), "other")), "let go NotRestored");
}

TEST(Populate, NeverTakesAVolumeThatIsAnotherClaims) {
  auto const it = filled(held(claim()));
  auto const others = with(volume_of_prime(), R"({"spec":{"claimRef":{"uid":"u9"}}})");
  EXPECT_EQ(step(it, prime(), others), "complain VolumeTaken");
  EXPECT_EQ(step(it, prime(), going(volume_of_prime())), "complain VolumeTaken");
  EXPECT_EQ(step(it), "complain VolumeLost");
  EXPECT_EQ(step(bound(it), prime(), others), "complain VolumeTaken") << "nor is anything deleted then";
}

TEST(Populate, KeepsAVolumeByAllMeansUntilItIsBoundAndThenAsItWas) {
  auto volume = handed();
  EXPECT_EQ(volume.text("spec.persistentVolumeReclaimPolicy"), "Retain");
  EXPECT_EQ(volume.text("spec.claimRef.uid"), "u1");
  EXPECT_EQ(volume.text("spec.claimRef.name"), "photos");
  EXPECT_FALSE(volume.at("spec.claimRef.resourceVersion"));
  EXPECT_EQ(annotation(volume, handed_to()), "media/photos/u1");
  EXPECT_EQ(hand_over_patch(volume_of_prime(), claim()).text("metadata.resourceVersion"), "7") << "nothing else happened to it";
  json::merge(volume, release_patch(volume));
  EXPECT_EQ(volume.text("spec.persistentVolumeReclaimPolicy"), "Delete");
  EXPECT_EQ(annotation(volume, handed_to()), "");
  EXPECT_EQ(volume.text("spec.claimRef.uid"), "u1");
}

// ---- all orders of events

/// One claim, its prime claim and its volume, and the actions of Kubernetes on them. The gateway may be killed, and may look at any time,
/// at each of them in any earlier state.
class model {
 public:
  explicit model(unsigned seed, bool is_unwanted) : luck_(seed), unwanted_(is_unwanted) { claim_ = claim(); }

  void run() {
    for (int n = 0; n < 300; ++n) moves_[luck_() % moves_.size()]();
    unwant(1);
    for (int n = 0; n < 30; ++n)
      for (auto& move : moves_) move();
  }
  std::optional<json::value> claim_, prime_, volume_;
  bool reclaimed_ = false;

 private:
  using slot = std::optional<json::value>;
  static void write(slot& slot, json::value const& patch) {
    json::merge(*slot, patch);
    json::merge(*slot,
                parsed(R"({"metadata":{"resourceVersion":")" + std::to_string(std::stoi(std::string(version_of(*slot))) + 1) + R"("}})"));
  }
  static void write_text(slot& slot, std::string const& patch) { write(slot, parsed(patch)); }
  bool is_there(std::string_view uid) const { return (claim_ && uid_of(*claim_) == uid) || (prime_ && uid_of(*prime_) == uid); }
  void put_hold() {
    if (claim_ && !is_terminating(*claim_) && !is_held()) write_text(claim_, R"({"metadata":{"finalizers":[")" + hold() + R"("]}})");
  }
  bool is_held() const { return claim_ && claim_->at("metadata.finalizers") && !claim_->at("metadata.finalizers")->as_array()->empty(); }
  void put_prime() {
    if (prime_ || !claim_) return;
    prime_ = with(prime_manifest(*claim_, ""), R"({"metadata":{"uid":"u2","resourceVersion":"1"}})");
  }
  /// The command of a mover's Job, which may be interrupted after each part.
  void create_job() {
    if (!claim_ || !is_unserved(*claim_) || filled_) return;
    if (!is_held()) return put_hold();
    put_prime();
  }
  void provision() {
    if (!prime_ || !prime_->text("spec.volumeName").empty() || is_terminating(*prime_) || volume_) return;
    volume_ = volume_of_prime();
    write_text(prime_, R"({"spec":{"volumeName":"v"},"status":{"phase":"Bound"}})");
  }
  void fill() {
    if (!claim_ || !prime_ || !volume_ || is_terminating(*claim_) || filled_) return;
    filled_ = true;
    write(claim_, filled(parsed("{}")));
  }
  void bind() {
    bool mine = claim_ && volume_ && volume_->text("spec.claimRef.uid") == "u1" && claim_->text("spec.volumeName").empty();
    if (mine) write_text(claim_, R"({"spec":{"volumeName":"v"},"status":{"phase":"Bound"}})");
  }
  void collect() {
    if (prime_ && (is_terminating(*prime_) || !claim_)) prime_.reset();
    if (claim_ && is_terminating(*claim_) && !is_held()) claim_.reset();
  }
  void reclaim() {
    bool released = volume_ && !is_there(volume_->text("spec.claimRef.uid"));
    if (!released || volume_->text("spec.persistentVolumeReclaimPolicy") != "Delete") return;
    EXPECT_TRUE(!claim_ || is_terminating(*claim_)) << "the volume of a claim that is wanted was deleted";
    volume_.reset();
    reclaimed_ = true;
  }
  void unwant(unsigned chance) {
    if (unwanted_ && claim_ && luck_() % chance == 0) write_text(claim_, R"({"metadata":{"deletionTimestamp":"now"}})");
  }
  void look() {
    auto pointer = [](slot const& one) { return one ? &*one : nullptr; };
    bool marked = seen_volume_ && !annotation(*seen_volume_, handed_to()).empty();
    if (!seen_claim_) {
      if (marked && !claim_) patch_volume(release_patch(*seen_volume_));
      return;
    }
    bool known = marked || (seen_prime_ && !seen_prime_->text("spec.volumeName").empty());
    populate_sight sight{.claim = *seen_claim_, .prime = pointer(seen_prime_), .volume = known ? pointer(seen_volume_) : nullptr};
    take(next_step(sight));
  }
  void patch_volume(json::value patch) {
    if (!volume_ || version_of(*volume_) != patch.text("metadata.resourceVersion")) return;  // a Conflict
    patch.find("metadata")->erase("resourceVersion");
    write(volume_, patch);
  }
  void take(populate_step const& step) {
    if (std::holds_alternative<hold_claim>(step)) put_hold();
    if (std::holds_alternative<hand_over>(step)) patch_volume(hand_over_patch(*seen_volume_, *seen_claim_));
    if (std::holds_alternative<release_volume>(step)) patch_volume(release_patch(*seen_volume_));
    if (std::holds_alternative<release_claim>(step) && claim_) write_text(claim_, R"({"metadata":{"finalizers":null}})");
    if (auto* one = std::get_if<delete_prime>(&step)) {
      bool sure = !one->verify || (volume_ && volume_->text("spec.claimRef.uid") == "u1");
      if (sure && prime_) write_text(prime_, R"({"metadata":{"deletionTimestamp":"now"}})");
    }
  }

  std::minstd_rand luck_;
  bool unwanted_, filled_ = false;
  slot seen_claim_, seen_prime_, seen_volume_;
  std::vector<std::function<void()>> moves_{[this] { create_job(); },
                                            [this] { provision(); },
                                            [this] { fill(); },
                                            [this] { bind(); },
                                            [this] { collect(); },
                                            [this] { reclaim(); },
                                            [this] { unwant(20); },
                                            [this] { seen_claim_ = claim_; },
                                            [this] { seen_prime_ = prime_; },
                                            [this] { seen_volume_ = volume_; },
                                            [this] { look(); }};
};

TEST(Populate, EndsWithAClaimThatIsBoundInWhateverOrderThingsHappen) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    model it(seed, false);
    it.run();
    ASSERT_TRUE(it.claim_ && it.volume_);
    EXPECT_EQ(it.claim_->text("spec.volumeName"), "v");
    EXPECT_FALSE(it.claim_->at("metadata.finalizers"));
    EXPECT_FALSE(it.prime_);
    EXPECT_EQ(it.volume_->text("spec.persistentVolumeReclaimPolicy"), "Delete");
    EXPECT_EQ(annotation(*it.volume_, handed_to()), "");
    EXPECT_EQ(it.volume_->text("spec.claimRef.uid"), "u1");
    EXPECT_FALSE(it.reclaimed_);
  }
}

TEST(Populate, LeavesNothingOfAClaimThatIsDeletedAtAnyTime) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    model it(seed, true);
    it.run();
    EXPECT_FALSE(it.claim_);
    EXPECT_FALSE(it.prime_);
    EXPECT_FALSE(it.volume_) << "its own policy is Delete";
  }
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
