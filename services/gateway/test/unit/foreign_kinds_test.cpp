#include "services/gateway/test/unit/stage.hpp"

/// Kinds that a cluster may lack, as the mirror tells of them.
namespace kopiur::gateway {
namespace {

constexpr auto kind = "VolumeSnapshotClass";

/// A cluster with VolumeSnapshotClasses, and its changes that are not told yet.
struct classes {
  std::map<std::string, json::value> known;
  std::deque<cluster_change> coming{};

  void put(std::string const& name) {
    auto object = parsed_json(R"({"apiVersion":"snapshot.storage.k8s.io/v1","kind":"VolumeSnapshotClass","metadata":{"name":")" + name +
                              R"(","uid":"uid-)" + name + R"(","resourceVersion":"1"},"driver":"csi"})");
    known[name] = object;
    coming.push_back(seen_object{std::move(object)});
  }
  void is(proto::kind_presence presence) { coming.push_back(kind_seen{kind, presence}); }
};

class classes_cluster final : public away_cluster {
 public:
  classes_cluster(clock& time, classes& there) : away_cluster(time), time_(time), there_(there) {}
  std::optional<json::value> known(object_key const& key) const override {
    auto found = there_.known.find(key.name);
    return found == there_.known.end() ? std::nullopt : std::optional(found->second);
  }
  std::unique_ptr<cluster_feed> follow() override { return std::make_unique<queued_feed>(time_, there_.coming); }

 private:
  clock& time_;
  classes& there_;
};

struct foreign_stage : stage {
  classes there;
  foreign_stage() {
    end();
    there.put("a"), there.put("b");
    there.is(proto::kind_presence::Listed);
    begin();
  }
  void begin() {
    there.coming.push_back(listed{});
    start_on([this](testing::process&, clock& time) { return std::make_unique<classes_cluster>(time, there); });
    go(5s);
  }
  /// A gateway that knows nothing of the cluster's past.
  void begin_anew() {
    end();
    there.known.clear(), there.coming.clear();
  }
  bool has(std::string const& name) {
    auto found = last(subjects::resources, subjects::resource("local", kind, "", name));
    return found && !found->body.empty();
  }
  std::string presence() {
    auto found = last(subjects::resources, subjects::kind_state("local", kind));
    return found ? std::string(parsed_json(found->body).text("presence")) : "";
  }
};

TEST(ForeignKind, ThatIsNotInstalledHoldsUpNothingAndLosesNoObject) {
  foreign_stage stage;
  EXPECT_TRUE(stage.has("a") && stage.has("b"));
  EXPECT_EQ(stage.presence(), "Listed");
  stage.there.known.clear();
  stage.there.is(proto::kind_presence::NotInstalled);
  stage.go(5s);
  EXPECT_EQ(stage.presence(), "NotInstalled");
  EXPECT_TRUE(stage.has("a") && stage.has("b")) << "unknown is not empty";
  stage.begin_anew();
  stage.there.is(proto::kind_presence::NotInstalled);
  auto before = stage.messages(subjects::resources);
  stage.begin();
  EXPECT_TRUE(stage.has("a") && stage.has("b")) << "nor after a restart, although the cluster is listed";
  EXPECT_EQ(stage.messages(subjects::resources), before + 1) << "the marker alone";
}

/// Absence is a fact only after a complete list of the kind.
TEST(ForeignKind, ThatIsListedAgainLosesWhatIsNotInTheList) {
  foreign_stage stage;
  stage.begin_anew();
  stage.begin();
  EXPECT_TRUE(stage.has("a") && stage.has("b")) << "the cluster is listed, and nothing was told of the kind";
  stage.there.put("b");
  stage.there.is(proto::kind_presence::Listed);
  stage.go(5s);
  EXPECT_FALSE(stage.has("a"));
  EXPECT_TRUE(stage.has("b"));
  EXPECT_EQ(stage.presence(), "Listed");
}

/// Within the bus' window for duplicates.
TEST(ForeignKind, ThatComesAndGoesIsToldEachTime) {
  foreign_stage stage;
  for (auto presence : {proto::kind_presence::NotInstalled, proto::kind_presence::Listed, proto::kind_presence::NotInstalled}) {
    stage.there.is(presence);
    stage.go(1s);
    EXPECT_EQ(stage.presence(), json::to_text(presence));
  }
}

}  // namespace
}  // namespace kopiur::gateway
