#include <algorithm>

#include "common/encoding/join.hpp"
#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/restore.hpp"
#include "services/systems/kopiur/rules/restores.hpp"

/// restore: one snapshot into one claim. decisions.md section 6.
namespace kopiur::plans {

using namespace proto;

restore const* restore_of(cluster_view const& all, run_state const& run) {
  auto* found = controller::find(all.objects.of<restore>(), run.order.object.namespace_, run.order.object.name);
  return found && found->metadata.uid == run.order.object.uid ? found : nullptr;
}

bool is_superseded(restore const& object, run_state const& run) {
  return !run.plan && run.run != restore_run(object, std::string(run.order.parameters.text("claimUid")));
}

bool is_dry(run_state const& run) {
  auto* task = run.plan ? verb_in<restore_work>(*run.plan) : nullptr;
  return task && task->dry_run;
}

persistent_volume_claim const* claim_of(cluster_view const& all, restore const& object) {
  if (!object.spec.target) return nullptr;
  auto name = std::visit([](auto& one) { return one.name; }, *object.spec.target);
  return controller::find(all.objects.of<persistent_volume_claim>(), object.metadata.namespace_, name);
}

std::optional<restore_resolved> pin_of(run_state const& run) {
  if (!run.plan || !run.plan->resolved) return {};
  auto pin = json::decode<restore_resolved>(*run.plan->resolved);
  return pin ? std::optional(std::move(*pin)) : std::nullopt;
}

namespace {

run_failure fail(failure_name why, std::string message) { return {.class_ = why, .message = std::move(message)}; }

/// Start of the Restore's wait: a passive Restore waits since its claim was seen, a repeated one since it was requested again.
instant waits_since(restore const& object, run_state const& run) {
  bool later =
      !object.spec.target || object.status.plan || !controller::lookup(object.metadata.annotations, annotation::restore_again).empty();
  return later ? run.ordered_at : *object.metadata.creation_timestamp;
}

/// The Restore's own deadline ends its waits.
std::optional<refused> too_long(cluster_view const& all, restore const& object, run_state const& run) {
  auto deadline = waits_since(object, run) + longest::within(longest::deadline, object.spec.failure_policy.active_deadline_seconds);
  if (all.now < deadline) return {};
  return refused{fail(failure_class::DeadlineExceeded,
                      "What the Restore waits for did not come before spec.failurePolicy.activeDeadlineSeconds passed.")};
}

/// How long to wait for a snapshot that does not exist. Under Continue the list decides immediately, unless the user sets a timeout.
duration patience(restore const& object, bool continues) {
  constexpr duration otherwise = std::chrono::minutes(5);
  return longest::within(longest::wait, object.spec.policy.wait_timeout.value_or(continues ? duration::zero() : otherwise));
}

preparation missing_snapshot(cluster_view const& all, restore const& object, choice const& it, run_state const& run) {
  bool continues = object.spec.policy.on_missing_snapshot == on_missing_snapshot::Continue && !it.held_back;
  auto timeout = patience(object, continues);
  auto since = run.waits && run.waits->reason == no_snapshot ? run.changed_at : all.now;
  auto until = since + timeout;
  auto told = to_text(timeout) + " (spec.policy.waitTimeout)";
  if (all.now >= until && continues)
    return nothing_to_do{it.none + " Nothing is written into the volume, because of onMissingSnapshot: Continue."};
  if (all.now >= until) return refused{fail(kopia_failure::SnapshotMissing, it.none + " None came within " + told + ".")};
  constexpr duration look_again{15'000};
  wait for_one{
      .why = {std::string(no_snapshot), it.none + " Waiting for one for " + told + (continues ? ", then the volume stays empty." : ".")},
      .look_again = std::min(until, all.now + look_again)};
  if (auto newer = look_for_newer(all, it, run)) for_one.asks.push_back(*std::move(newer));
  return for_one;
}

restore_resolved pinned(cluster_view const& all, choice const& it) {
  auto ref = it.repository.ref();
  restore_resolved resolved{
      .resolution = it.snapshot.empty() ? restore_resolution::NoSnapshot : restore_resolution::Snapshot,
      .repository = resolved_repository{.kind = it.repository.kind, .name = ref.name, .unique_ID = it.repository.status->unique_ID},
      .identity = it.source,
      .pinned_at = all.now};
  if (!ref.namespace_.empty()) resolved.repository->namespace_ = ref.namespace_;
  if (!it.backup_name.empty()) resolved.backup_ref = it.backup_name;
  if (!it.snapshot.empty()) resolved.snapshot_ID = it.snapshot;
  resolved.passed_over = it.passed_over;
  return resolved;
}

/// `claim`: the claim to write; for a dry run the claim to inspect, nullptr: there is none yet.
preparation plan_for(cluster_view const& all, restore const& object, choice const& it, claim_now const* claim) {
  bool dry = object.spec.dry_run;
  auto way = connection_to(all.objects, it.repository, object.metadata.namespace_, it.mover);
  if (!way) return way.error();
  auto unique = *it.repository.status->unique_ID;
  run_plan plan;
  plan.class_ = dry || claim->ours ? plan_class::Repeatable : plan_class::AtMostOnce;
  plan.attempts = object.spec.failure_policy.backoff_limit + 1;
  plan.deadline = longest::within(longest::deadline, object.spec.failure_policy.active_deadline_seconds);
  plan.start_within = stated_seconds(longest::pod_start, object.spec.failure_policy.pod_start_deadline_seconds);
  plan.priority = lease_priority::Restore;
  plan.leases = {repository_slot(all, unique), shared_by_any(snapshot_key(unique, it.snapshot))};
  if (claim) {
    auto key = claim_key(all, object.metadata.namespace_, claim->name);
    plan.leases.insert(plan.leases.begin(), dry ? shared_by_any(std::move(key)) : lease_need{std::move(key), lease_mode::Exclusive});
  }
  plan.serves = {controller::ref_of(object)};
  plan.namespace_ = object.metadata.namespace_;
  way->access.read_only = true;
  kopia_of(plan).repository = std::move(way->access);
  restore_work task{
      .snapshot_ID = it.snapshot, .source = it.source, .target = claim ? "{{target}}" : "", .options = object.spec.options, .dry_run = dry};
  // No pod uses a volume that was created for this Restore. If kopia is killed during an atomic write, it leaves a temporary file that the
  // next attempt would not overwrite.
  if (claim && claim->ours) task.options.write_files_atomically = false;
  kopia_of(plan).task = std::move(task);
  if (claim)
    way->volumes.push_back({.name = std::string(target_volume),
                            .claim_namespace = object.metadata.namespace_,
                            .claim_name = claim->name,
                            .host_path = {},
                            .read_only = dry});
  add_connection(plan, std::move(*way));
  plan.resolved = json::share(json::encode(pinned(all, it)));
  return ready{std::move(plan)};
}

/// The snapshot to restore, or what to do while it is not known.
plan_part<choice> what_to_restore(cluster_view const& all, restore const& object, run_state const& run, std::string const& claim) {
  auto chosen = choose_snapshot(all, object, run, claim);
  if (chosen && chosen->snapshot.empty()) return std::unexpected(missing_snapshot(all, object, *chosen, run));
  auto* why = chosen ? nullptr : std::get_if<wait>(&chosen.error());
  // While a newer list is read, the run keeps its wait for a snapshot, and when that began.
  if (why && run.waits && run.waits->reason == no_snapshot) why->why = *run.waits;
  return chosen;
}

constexpr std::string_view filled_already = "A Restore of this name has filled the claim already.";

/// Prepares a dry run: it inspects the volume if there is one, and creates none.
preparation prepare_preview(cluster_view const& all, restore const& object, run_state const& run) {
  auto* from = std::get_if<from_config_source>(&object.spec.source);
  if (from && from->source_path_from)
    return refused{fail(failure_class::InvalidWork,
                        "A dry run fills no claim, and sourcePathFrom follows one: name the source in spec.source.fromConfig.sourcePath.")};
  auto* claim = claim_of(all, object);
  bool has_volume = claim && claim->status.phase == "Bound";
  auto target = has_volume ? target_claim(all, object, run) : claim_now{};
  if (!target) return target.error();
  if (target->filled) return nothing_to_do{std::string(filled_already)};
  auto it = what_to_restore(all, object, run, claim ? claim->metadata.name : "");
  return it ? plan_for(all, object, *it, has_volume ? &*target : nullptr) : std::move(it).error();
}

/// A claim is created only when its content is known. Otherwise an empty volume would exist that any pod could use (architecture, invariant
/// 6).
std::optional<preparation> nothing_for_a_claim_yet(cluster_view const& all, restore const& object, run_state const& run) {
  auto* wanted = object.spec.target ? std::get_if<new_claim>(&*object.spec.target) : nullptr;
  if (!wanted || controller::find(all.objects.of<persistent_volume_claim>(), object.metadata.namespace_, wanted->name)) return {};
  auto it = what_to_restore(all, object, run, wanted->name);
  if (it || std::holds_alternative<nothing_to_do>(it.error())) return {};
  return std::move(it).error();
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* object = restore_of(all, run);
  if (!object) return refused{fail(failure_class::InvalidWork, "Restore " + run.order.object.name + " no longer exists.")};
  if (is_superseded(*object, run)) return nothing_to_do{"The Restore was asked for again before this run began."};
  if (auto no = too_long(all, *object, run)) return *no;
  if (object->spec.dry_run) return prepare_preview(all, *object, run);
  if (auto not_yet = nothing_for_a_claim_yet(all, *object, run)) return *std::move(not_yet);
  auto target = target_claim(all, *object, run);
  if (!target) return target.error();
  if (target->filled) return nothing_to_do{std::string(filled_already)};
  auto it = what_to_restore(all, *object, run, target->name);
  return it ? plan_for(all, *object, *it, &*target) : std::move(it).error();
}

/// The attempt of this run that is recorded as committed in the object's status; 0: none.
int committed_before(cluster_view const& all, run_state const& run) {
  auto* object = restore_of(all, run);
  auto* done = object && object->status.execution ? &*object->status.execution : nullptr;
  return done && done->run_ID == run.run && done->stage >= execution_stage::Committed ? done->attempt : 0;
}

/// Into an existing claim: the commitment is recorded in the object before the mover is requested, so a lost bus never causes a second
/// restore.
bool receipt(cluster_view const& all, run_state const& run) {
  bool repeatable = run.plan && run.plan->class_ == plan_class::Repeatable;
  return repeatable || (run.attempt > 0 && committed_before(all, run) == run.attempt);
}

/// A claim that was to be filled and no longer exists needs nothing.
std::optional<std::string> claim_gone(cluster_view const& all, run_state const& run) {
  auto name = std::string(run.order.parameters.text("claim"));
  if (name.empty()) return {};
  auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), run.order.object.namespace_, name);
  bool there = claim && claim->metadata.uid == run.order.parameters.text("claimUid") && !claim->metadata.deletion_timestamp;
  return there ? std::nullopt : std::optional("PersistentVolumeClaim " + name + " was deleted");
}

/// A dry run ends once the user requests something else: otherwise the restore would wait for the claim's lease, perhaps as long as a
/// hanging mover.
std::optional<std::string> plan_outdated(cluster_view const& all, run_state const& run) {
  auto* object = is_dry(run) ? restore_of(all, run) : nullptr;
  bool outdated = object && run.run != restore_run(*object, "");
  return outdated ? std::optional("Restore " + object->metadata.name + " does not ask for this plan any more") : std::nullopt;
}

std::optional<cancellation> unwanted(cluster_view const& all, run_state const& run) {
  auto why = claim_gone(all, run);
  if (!why) why = plan_outdated(all, run);
  return why ? std::optional(cancellation{*std::move(why)}) : std::nullopt;
}

new_run order(restore const& object, std::string id, persistent_volume_claim const* claim) {
  run_order what{.plan = "restore", .object = controller::ref_of(object)};
  if (claim) {
    what.parameters = json::value::make_object();
    what.parameters.set("claim", claim->metadata.name);
    what.parameters.set("claimUid", claim->metadata.uid);
  }
  return {std::move(id), std::move(what)};
}

/// Records on the claim that it was filled, soon after the mover succeeded, because a Restore recreated under the same name looks there. Of
/// two Restores the one that began later is the last, because they exclude each other.
void note_filled(actions& needs, restore const& object, persistent_volume_claim const* claim, run_state const& run) {
  bool done = is_terminal(run.stage) && run.outcome == run_outcome::Succeeded;
  if (!done || !claim || is_filled(*claim, object)) return;
  auto pin = pin_of(run);
  auto mark = mark_filled(*claim, object, pin ? pin->snapshot_ID.value_or("") : "", run.started_at.value_or(run.ordered_at));
  if (mark) needs.asks.push_back(std::move(*mark));
}

/// When the last run with an ownership report ended.
instant last_compared(cluster_view const& all, restore const& object) {
  instant last{};
  for (auto* run : all.runs_of(object.metadata.uid, "restore"))
    if (is_terminal(run->stage) && result_of(*run) && result_of(*run)->ownership)
      last = std::max(last, run->finished_at.value_or(run->changed_at));
  return last;
}

/// A Warning Event if owners or modes were not restored.
void tell_of_owners(cluster_view const& all, actions& needs, restore const& object) {
  auto found = ownership_of(all, object);
  if (!found || found->lost == 0) return;
  auto key = object.metadata.uid + "-ownership-" + std::to_string(found->lost) + "-" + std::to_string(found->entries);
  if (auto event =
          warn_once(all, controller::ref_of(object), std::move(key), "OwnershipLost", ownership_text(*found), last_compared(all, object)))
    needs.asks.push_back(*std::move(event));
}

/// Status of a passive Restore that has filled nothing yet.
object_status waits_for_claims(restore const& object, std::string const& without_pod, std::string const& bound,
                               std::string const& doubtful) {
  auto reason = without_pod.empty() ? "WaitingForClaims" : "WaitingForConsumer";
  auto message = without_pod.empty() ? std::string("Fills every claim whose spec.dataSourceRef names it; there is none to fill.")
                                     : "Waiting for the first pod that uses " + without_pod +
                                           ": its StorageClass gives it a volume only then (WaitForFirstConsumer).";
  if (!bound.empty()) reason = "TargetAlreadyBound", message += " Skipped, because they had volumes already: " + bound + ".";
  if (!doubtful.empty())
    reason = "FillNotProven", message += " Skipped, because they say that they were filled (" + std::string(annotation::restored_by) +
                                         ") and nothing proves that kopiur wrote this: " + doubtful +
                                         ". To fill one again, give this Restore " + std::string(annotation::restore_again) +
                                         " with a new value.";
  return claim_for(controller::ref_of(object), object.metadata.generation, json::object{{"phase", "Pending"}},
                   {condition(condition_type::ready, true, reason, message)});
}

actions reconcile_passive(cluster_view const& all, restore const& object) {
  actions needs;
  std::vector<std::string> without_pod, bound, doubtful;
  bool begun = !object.status.claims.empty();
  for (auto* claim : claims_served(all, object)) {
    auto id = restore_run(object, claim->metadata.uid);
    auto* run = all.run(id);
    begun = begun || run;
    if (run)
      note_filled(needs, object, claim, *run);
    else if (is_doubtful(*claim, object))
      doubtful.push_back(claim->metadata.name);
    else if (rules::waits_for_consumer(all.objects, *claim) && !rules::has_consumer(*claim))
      without_pod.push_back(claim->metadata.name);
    else if (is_bound(*claim) && is_untouched(*claim))
      bound.push_back(claim->metadata.name);
    else if (may_fill(*claim, object))
      needs.orders.push_back(order(object, id, claim));
  }
  // Once there is a run, the runs report the status: this fragment is cleared.
  if (begun)
    needs.statuses.push_back(claim_for(controller::ref_of(object), object.metadata.generation, json::value::make_object(), {}));
  else if (needs.orders.empty())
    needs.statuses.push_back(waits_for_claims(object, encoding::join(without_pod), encoding::join(bound), encoding::join(doubtful)));
  return needs;
}

}  // namespace

std::string restore_run(restore const& object, std::string const& claim_uid) {
  auto again = controller::lookup(object.metadata.annotations, annotation::restore_again);
  if (object.spec.dry_run) return "restore-" + hash::digest_hex({"restore", object.metadata.uid, "dry-run", again}, 16);
  if (claim_uid.empty() && again.empty()) return "restore-" + hash::digest_hex({"restore", object.metadata.uid}, 16);
  return "restore-" + hash::digest_hex({"restore", object.metadata.uid, claim_uid, again}, 16);
}

actions reconcile_restore(cluster_view const& all, restore const& object) {
  actions needs;
  if (object.metadata.deletion_timestamp) return needs;
  if (!object.spec.target && !object.spec.dry_run) needs = reconcile_passive(all, object);
  tell_of_owners(all, needs, object);
  if (!object.spec.target && !object.spec.dry_run) return needs;
  auto id = restore_run(object, "");
  auto* run = all.run(id);
  bool done = rules::is_over(object.status.phase) && object.status.execution && object.status.execution->run_ID == id;
  if (run && !object.spec.dry_run)
    note_filled(needs, object, claim_of(all, object), *run);
  else if (!run && !done)
    needs.orders.push_back(order(object, id, nullptr));
  return needs;
}

plan_kind const restore_plan{.name = "restore",
                             .prepare = prepare,
                             .complete_job = complete_kopia_job,
                             .answers = is_kopia_answer,
                             .receipt = receipt,
                             .committed_before = committed_before,
                             .cancel = unwanted,
                             .report = report_restore,
                             .ends_with_its_object = true,
                             .awaits_lists = true};

}  // namespace kopiur::plans
