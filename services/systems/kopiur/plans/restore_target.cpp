#include "proto/codec.hpp"
#include "proto/kopiur/reserved_names.hpp"
#include "services/systems/kopiur/plans/restore.hpp"

/// The claim that a Restore fills: one created for it, an existing one, or one that waits for its data. decisions.md section 6.
namespace kopiur::plans {

using namespace proto;

namespace {

wait because(std::string reason, std::string message) { return {.why = {std::move(reason), std::move(message)}}; }

std::string_view again(restore const& object) { return controller::lookup(object.metadata.annotations, annotation::restore_again); }

/// The value of a mark, whether or not the gateway proved its seal.
std::string_view said(persistent_volume_claim const& claim, std::string_view mark) {
  auto proven = controller::lookup(claim.metadata.annotations, mark);
  return proven.empty() ? controller::lookup(claim.metadata.annotations, unproven_name(mark)) : proven;
}
bool is_proven(persistent_volume_claim const& claim, std::string_view mark) {
  return !claim.metadata.annotations.contains(unproven_name(mark));
}

/// Seals prove everything that the claim says about its filling.
bool is_sealed(persistent_volume_claim const& claim) {
  return is_proven(claim, annotation::restored_by) && is_proven(claim, annotation::restored_again);
}

/// The user requested a repetition, by a value that the claim does not have yet.
bool is_asked_again(persistent_volume_claim const& claim, restore const& object) {
  return !again(object).empty() && said(claim, annotation::restored_again) != again(object);
}

bool names_its_filler(persistent_volume_claim const& claim, restore const& object) {
  return said(claim, annotation::restored_by) == object.metadata.name;
}

/// The claim says that a Restore of this name has done what is requested. A Restore without `restore-again` accepts any earlier filling.
bool says_filled(persistent_volume_claim const& claim, restore const& object) {
  return names_its_filler(claim, object) && !is_asked_again(claim, object);
}

/// Proven by seals, or by the Restore's own status.
bool is_proven_filled(persistent_volume_claim const& claim, restore const& object) {
  return is_sealed(claim) || std::ranges::any_of(object.status.claims, [&](served_claim const& one) {
           return one.uid == claim.metadata.uid && one.phase == restore_phase::Completed;
         });
}

wait not_proven(persistent_volume_claim const& claim, std::string_view mark) {
  return because("FillNotProven",
                 "PersistentVolumeClaim " + claim.metadata.name + " says by " + std::string(mark) +
                     " that kopiur has been at work on it, and nothing proves that kopiur wrote this. It is left as it is. To have it "
                     "filled all the same, give this Restore the annotation " +
                     std::string(annotation::restore_again) + " with a new value.");
}

/// The claim is created once. A refusal as Invalid is final; any other refusal may be temporary (a quota, a policy) and is reported as a
/// wait.
plan_part<claim_now> make_claim(cluster_view const& all, restore const& object, new_claim const& wanted, std::string const& key) {
  auto* said = all.answer(create_object::member, key);
  if (said && said->code == answer_code::Invalid)
    return std::unexpected(
        refused{{.class_ = failure_class::InvalidWork,
                 .message = "PersistentVolumeClaim " + wanted.name + " (spec.target.pvc) cannot be made: " + said->message}});
  persistent_volume_claim fresh{.api_version = "v1", .kind = std::string(persistent_volume_claim::info.kind)};
  fresh.metadata.name = wanted.name, fresh.metadata.namespace_ = object.metadata.namespace_;
  fresh.metadata.annotations[std::string(annotation::made_for)] = object.metadata.uid;
  fresh.spec.access_modes = wanted.access_modes.empty() ? std::vector{access_mode::ReadWriteOnce} : wanted.access_modes;
  fresh.spec.storage_class_name = wanted.storage_class_name;
  if (wanted.capacity) fresh.spec.resources.requests["storage"] = *wanted.capacity;
  auto why = because("CreatingClaim", "Making PersistentVolumeClaim " + wanted.name + ".");
  bool held_up = said && said->code != answer_code::Ok && said->code != answer_code::AlreadyExists;
  if (held_up) why = because("ClaimRefused", "PersistentVolumeClaim " + wanted.name + " cannot be made yet: " + said->message);
  why.look_again = all.now + duration(15'000);
  why.asks.push_back({gateway_command{create_object{json::encode(fresh)}}, key});
  return std::unexpected(std::move(why));
}

/// The claim was created for this Restore, according to a sealed mark or the answer to the command: no other writer has used it.
bool is_made_for(cluster_view const& all, persistent_volume_claim const& claim, restore const& object, std::string const& key) {
  if (controller::lookup(claim.metadata.annotations, annotation::made_for) == object.metadata.uid) return true;
  auto* answer = all.answer(create_object::member, key);
  return answer && answer->code == answer_code::Ok && answer->uid == claim.metadata.uid;
}

/// The claim as target. It need not be Bound if it waits for its first consumer: the mover may be that consumer.
plan_part<claim_now> usable(cluster_view const& all, persistent_volume_claim const& claim, restore const& object, bool ours) {
  if (says_filled(claim, object) && is_doubtful(claim, object)) return std::unexpected(not_proven(claim, annotation::restored_by));
  if (claim.status.phase != "Bound" && !rules::waits_for_consumer(all.objects, claim))
    return std::unexpected(because("ClaimNotBound", "Waiting until PersistentVolumeClaim " + claim.metadata.name + " is Bound."));
  return claim_now{claim.metadata.name, claim.metadata.uid, ours, is_filled(claim, object)};
}

refused of_others(std::string message) { return refused{{.class_ = failure_class::InvalidWork, .message = std::move(message)}}; }

/// `spec.target.pvc` creates a claim. An existing claim of that name that does not belong to this Restore has another user's data. Nothing:
/// the Restore may write into it.
std::optional<preparation> not_ours(persistent_volume_claim const& claim, restore const& object) {
  bool ours = names_its_filler(claim, object), made = said(claim, annotation::made_for) == object.metadata.uid;
  if (ours && (is_proven(claim, annotation::restored_by) || is_asked_again(claim, object))) return {};
  if (made && is_asked_again(claim, object)) return {};
  if (ours || made) return not_proven(claim, ours ? annotation::restored_by : annotation::made_for);
  return of_others("PersistentVolumeClaim " + claim.metadata.namespace_ + "/" + claim.metadata.name +
                   " exists already and was not created for this Restore (spec.target.pvc creates one). To write into it, name it in "
                   "spec.target.pvcRef; else choose another name.");
}

/// For a passive Restore: the claim that the run was ordered for, if it is still the same claim.
plan_part<claim_now> waiting_claim(cluster_view const& all, restore const& object, run_state const& run) {
  auto name = std::string(run.order.parameters.text("claim")), uid = std::string(run.order.parameters.text("claimUid"));
  auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), object.metadata.namespace_, name);
  if (!claim || claim->metadata.uid != uid)
    return std::unexpected(because("ClaimGone", "PersistentVolumeClaim " + name + " is no longer the one that was to be filled."));
  if (is_doubtful(*claim, object)) return std::unexpected(not_proven(*claim, annotation::restored_by));
  bool filled = !may_fill(*claim, object);
  if (!filled && is_bound(*claim))
    return std::unexpected(
        of_others("PersistentVolumeClaim " + name +
                  " is bound to a volume already (TargetAlreadyBound), and what is on it is left alone: only a claim without a volume is "
                  "filled. To write into this one, name it in spec.target.pvcRef of another Restore."));
  return claim_now{name, uid, true, filled};
}

}  // namespace

plan_part<claim_now> target_claim(cluster_view const& all, restore const& object, run_state const& run) {
  if (!object.spec.target) return waiting_claim(all, object, run);
  auto& ns = object.metadata.namespace_;
  auto* wanted = std::get_if<new_claim>(&*object.spec.target);
  auto& name = wanted ? wanted->name : std::get<existing_claim>(*object.spec.target).name;
  auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), ns, name);
  if (!claim && wanted) return make_claim(all, object, *wanted, run.run + "-claim");
  if (!claim) return std::unexpected(because("ClaimMissing", "Waiting for PersistentVolumeClaim " + ns + "/" + name + "."));
  bool made = is_made_for(all, *claim, object, run.run + "-claim");
  if (wanted && !made)
    if (auto why = not_ours(*claim, object)) return std::unexpected(*std::move(why));
  return usable(all, *claim, object, made);
}

std::vector<persistent_volume_claim const*> claims_served(cluster_view const& all, restore const& object) {
  std::vector<persistent_volume_claim const*> found;
  for (auto& [key, claim] : all.objects.of<persistent_volume_claim>()) {
    bool ours = key.namespace_ == object.metadata.namespace_ && rules::filling_restore(claim) == object.metadata.name;
    if (ours && !claim.metadata.deletion_timestamp) found.push_back(&claim);
  }
  return found;
}

bool is_bound(persistent_volume_claim const& claim) { return !claim.spec.volume_name.value_or("").empty(); }

bool is_untouched(persistent_volume_claim const& claim) { return said(claim, annotation::restored_by).empty(); }

bool may_fill(persistent_volume_claim const& claim, restore const& object) {
  return is_untouched(claim) || (names_its_filler(claim, object) && is_asked_again(claim, object));
}

bool is_filled(persistent_volume_claim const& claim, restore const& object) {
  return says_filled(claim, object) && is_proven_filled(claim, object);
}

bool is_doubtful(persistent_volume_claim const& claim, restore const& object) {
  return !is_sealed(claim) && !may_fill(claim, object) && !is_filled(claim, object);
}

std::optional<ask> mark_filled(persistent_volume_claim const& claim, restore const& object, std::string const& snapshot, instant time) {
  auto last = instant_from(said(claim, annotation::restored_at));
  if (last && (*last > time || (*last == time && is_proven(claim, annotation::restored_at)))) return {};
  patch_metadata patch{.object = controller::ref_of(claim)};
  patch.annotations[std::string(annotation::restored_by)] = object.metadata.name;
  patch.annotations[std::string(annotation::restored_snapshot)] = snapshot.empty() ? "none" : snapshot;
  patch.annotations[std::string(annotation::restored_at)] = to_text(time);
  patch.annotations[std::string(annotation::restored_again)] = again(object);
  return ask{gateway_command{std::move(patch)}, claim.metadata.uid + "-filled-" + object.metadata.uid};
}

}  // namespace kopiur::plans
