#include "services/gateway/kubernetes/volumes/populator.hpp"

#include <algorithm>

#include "proto/kinds.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/volumes.hpp"
#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using json::value;
using proto::answer_code;

namespace {

constexpr duration try_again = 2s;
constexpr std::string_view claim_kind = proto::persistent_volume_claim::info.kind, volume_kind = proto::persistent_volume::info.kind;

template <class T>
outcome<void> done(outcome<T> const& result) {
  if (!result) return std::unexpected(result.error());
  return {};
}

/// The watched copy was outdated; the watch brings the newer one, which triggers another look.
bool is_stale(refusal const& why) { return why.code == answer_code::Conflict || why.code == answer_code::NotFound; }

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

/// A cheap filter: the claim names one of kopiur's kinds, and has no volume or still has the finalizer.
bool may_be_due(std::string_view claim) {
  return has(claim, '"' + std::string(proto::api_group) + '"') && (!has(claim, "\"volumeName\"") || has(claim, hold()));
}

/// The claim in a text of holder_text().
proto::object_ref claim_in(std::string_view text) {
  auto first = text.find('/'), second = text.rfind('/');
  if (first == second) return {};
  return proto::ref_to<proto::persistent_volume_claim>(
      std::string(text.substr(0, first)), std::string(text.substr(first + 1, second - first - 1)), std::string(text.substr(second + 1)));
}

bool serves(proto::create_job const& command, value const& claim) {
  return std::ranges::any_of(command.serves, [&](proto::object_ref const& one) {
    return one.kind == proto::restore::info.kind && one.namespace_ == claim.text("metadata.namespace") &&
           one.name == filling_restore(claim);
  });
}

}  // namespace

/// A claim and its related objects, as last watched.
struct populator::held {
  value claim;
  std::optional<value> prime, volume, restore;
  populate_sight sight() const {
    auto pointer = [](std::optional<value> const& one) { return one ? &*one : nullptr; };
    return {.claim = claim, .prime = pointer(prime), .volume = pointer(volume), .restore = pointer(restore)};
  }
};

// ---- a mover's Job

awaitable<outcome<proto::create_job>> populator::with_prime(proto::create_job command) {
  auto* target = target_of(command);
  if (!target) co_return command;
  auto claim = co_await objects_.read(proto::ref_to<proto::persistent_volume_claim>(command.namespace_, target->claim_name));
  if (claim) claim = marks_.judged(*std::move(claim));
  if (!claim && claim.error().code == answer_code::NotFound) co_return command;
  if (!claim) co_return std::unexpected(claim.error());
  if (filling_restore(*claim).empty() || !serves(command, *claim)) co_return command;
  auto volume = claim->text("spec.volumeName");
  bool untouched = proven_or_not(*claim, proto::annotation::restored_by).empty();
  if (!volume.empty() && untouched)
    co_return refuse(answer_code::Invalid, key_of(*claim).text() + " was bound to the volume " + std::string(volume) +
                                               " before the Restore could fill one for it (TargetAlreadyBound); what is on it is left "
                                               "alone. A Restore of another name may write into it, by spec.target.pvcRef.");
  if (!volume.empty()) co_return command;
  auto prime = co_await prime_to_fill(std::move(*claim));
  if (!prime) co_return std::unexpected(prime.error());
  target->claim_name = std::move(*prime);
  co_return command;
}

awaitable<outcome<std::string>> populator::prime_to_fill(value claim) {
  auto name = key_of(claim).text();
  if (claim.text("spec.volumeMode") == "Block")
    co_return refuse(answer_code::Invalid, name + " wants a device (volumeMode: Block): files are restored into a Filesystem.");
  if (is_terminating(claim)) co_return refuse(answer_code::Unavailable, name + " is being deleted.");
  auto kept = co_await objects_.patch({.object = ref_of(claim), .add_finalizers = {hold()}});
  if (!kept) co_return refuse(answer_code::Unavailable, kept.error().message);
  auto prime = co_await prime_for(claim, std::string(proven_or_not(claim, proto::annotation::restored_at)));
  if (!prime) co_return std::unexpected(prime.error());
  if (is_filled(claim, *prime)) co_return refuse(answer_code::Unavailable, name + " is filled; it is about to be bound.");
  co_return prime_name(claim);
}

/// The prime claim, created now or before, and not being deleted. Never refused permanently: the obstacle (a quota) may be removed.
awaitable<outcome<value>> populator::prime_for(value const& claim, std::string filled_before) {
  auto made = co_await objects_.create(prime_manifest(claim, filled_before));
  if (!made && made.error().code == answer_code::AlreadyExists)
    made = co_await objects_.read(
        proto::ref_to<proto::persistent_volume_claim>(std::string(claim.text("metadata.namespace")), prime_name(claim)));
  if (!made) co_return refuse(answer_code::Unavailable, made.error().message);
  auto name = key_of(*made).text();
  if (!is_prime_of(*made, claim)) co_return refuse(answer_code::Unavailable, name + " exists, and kopiur did not create it: delete it.");
  if (is_terminating(*made)) co_return refuse(answer_code::Unavailable, name + " is being deleted; it will be created again.");
  co_return made;
}

// ---- the loop

awaitable<void> populator::run() {
  for (;;) {
    auto epoch = woken_.epoch();
    bool well = !seen_.told() || co_await look();
    if (well)
      co_await woken_.wait(epoch);
    else
      co_await time_.sleep_for(try_again);
  }
}

void populator::say_once(std::string sentence) {
  if (sentence != said_) settings_.report(said_ = std::move(sentence));
}

/// Performs one step for each claim with a due step. False: look again soon.
awaitable<bool> populator::look() {
  bool well = true;
  for (auto& each : claims_due()) well = co_await advance(std::move(each)) && well;
  for (auto& volume : seen_.matching(volume_kind, [](std::string_view text) { return has(text, handed_to()); })) {
    auto gone = co_await release_orphan(volume);
    if (gone || is_stale(gone.error())) continue;
    say_once(gone.error().message);
    well = false;
  }
  co_return well;
}

std::set<std::string, std::less<>> populator::searched_kinds() { return {std::string(claim_kind), std::string(volume_kind)}; }

std::vector<populator::held> populator::claims_due() const {
  auto handed = seen_.matching(volume_kind, [](std::string_view text) { return has(text, handed_to()); });
  std::vector<held> due;
  for (auto& claim : seen_.matching(claim_kind, may_be_due))
    if (!filling_restore(claim).empty()) due.push_back(sight_of(std::move(claim), handed));
  for (auto& volume : handed) {  // those of a released claim still have their marks
    auto ref = claim_in(annotation(volume, handed_to()));
    auto claim = seen_.object({ref.kind, ref.namespace_, ref.name});
    bool is_new =
        claim && uid_of(*claim) == ref.uid && std::ranges::none_of(due, [&](held const& one) { return uid_of(one.claim) == ref.uid; });
    if (is_new) due.push_back(sight_of(std::move(*claim), handed));
  }
  return due;
}

populator::held populator::sight_of(value claim, std::vector<value> const& handed) const {
  held it{.claim = marks_.judged(std::move(claim)), .prime = {}, .volume = {}, .restore = {}};
  auto ns = std::string(it.claim.text("metadata.namespace"));
  it.prime = seen_.object(key_to<proto::persistent_volume_claim>(ns, prime_name(it.claim)));
  if (it.prime && !is_prime_of(*it.prime, it.claim)) it.prime.reset();
  it.restore = seen_.object(key_to<proto::restore>(ns, filling_restore(it.claim)));
  auto ours = std::ranges::find_if(handed, [&](value const& one) { return annotation(one, handed_to()) == holder_text(it.claim); });
  if (ours != handed.end())
    it.volume = *ours;
  else if (it.prime && !it.prime->text("spec.volumeName").empty())
    it.volume = seen_.object(key_to<proto::persistent_volume>("", std::string(it.prime->text("spec.volumeName"))));
  return it;
}

awaitable<bool> populator::advance(held it) {
  auto step = next_step(it.sight());
  bool over = !std::holds_alternative<free_prime>(step);  // no watch reports the end of a pod
  auto taken = co_await take(std::move(step), it);
  if (taken || is_stale(taken.error())) co_return over;
  say_once(key_of(it.claim).text() + " does not get its volume yet: " + taken.error().message);
  co_return false;
}

awaitable<outcome<void>> populator::take(populate_step step, held const& it) {
  if (std::holds_alternative<hold_claim>(step))
    co_return done(co_await objects_.patch({.object = ref_of(it.claim), .add_finalizers = {hold()}}));
  if (std::holds_alternative<make_prime>(step)) co_return done(co_await prime_for(it.claim, ""));
  if (std::holds_alternative<hand_over>(step))
    co_return done(co_await objects_.merge(key_of(*it.volume), hand_over_patch(*it.volume, it.claim)));
  if (auto* one = std::get_if<delete_prime>(&step)) co_return co_await remove_prime(it, one->verify);
  if (std::holds_alternative<free_prime>(step)) co_return co_await free_of_pods(api_, objects_, key_of(*it.prime));
  if (std::holds_alternative<release_volume>(step)) co_return done(co_await objects_.merge(key_of(*it.volume), release_patch(*it.volume)));
  if (auto* one = std::get_if<release_claim>(&step)) co_return co_await finish(it, std::move(*one));
  auto* why = std::get_if<complain>(&step);
  if (why && complained_.insert(std::string(uid_of(it.claim)) + why->reason).second)
    co_await tell(it.claim, "Warning", why->reason, why->message);
  co_return outcome<void>();
}

/// The volume's owner decides whether it is deleted too: that is checked by a live read.
awaitable<outcome<void>> populator::remove_prime(held const& it, bool verify) {
  if (verify) {
    auto volume = co_await objects_.read(ref_of(*it.volume));
    if (!volume) co_return std::unexpected(volume.error());
    if (volume->text("spec.claimRef.uid") != uid_of(it.claim)) co_return outcome<void>();  // the watch will report that
  }
  co_return done(co_await objects_.remove({.object = ref_of(*it.prime), .annotations = {}}));
}

awaitable<outcome<void>> populator::finish(held const& it, release_claim last) {
  auto gone = co_await objects_.patch({.object = ref_of(it.claim), .remove_finalizers = {hold()}});
  if (!gone) co_return std::unexpected(gone.error());
  if (!last.reason.empty()) co_await tell(it.claim, std::move(last.type), std::move(last.reason), std::move(last.message));
  co_return outcome<void>();
}

/// Nothing depends on an Event, so a failure is only reported.
awaitable<void> populator::tell(value const& claim, std::string type, std::string reason, std::string message) {
  proto::record_event event{.object = ref_of(claim), .type = std::move(type), .reason = std::move(reason), .message = std::move(message)};
  auto told = co_await settings_.record(std::move(event));
  if (!told) settings_.report(told.error().message);
}

/// The claim was deleted before the volume's marks were removed: restores the volume's own policy.
awaitable<outcome<void>> populator::release_orphan(value const& volume) {
  auto ref = claim_in(annotation(volume, handed_to()));
  bool served = settings_.namespace_.empty() || ref.namespace_ == settings_.namespace_;
  auto seen = seen_.object({ref.kind, ref.namespace_, ref.name});
  if (ref.name.empty() || !served || (seen && uid_of(*seen) == ref.uid)) co_return outcome<void>();
  auto there = co_await objects_.read(ref);
  if (there) co_return outcome<void>();
  if (there.error().code != answer_code::NotFound) co_return std::unexpected(there.error());
  co_return done(co_await objects_.merge(key_of(volume), release_patch(volume)));
}

}  // namespace kopiur::gateway::kubernetes
