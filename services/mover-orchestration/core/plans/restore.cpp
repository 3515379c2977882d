#include <algorithm>
#include <map>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/mirror/core/restores.hpp"
#include "services/mirror/core/timing.hpp"
#include "services/mover-orchestration/core/plans/restore.hpp"

/// restore: one snapshot into one claim. decisions.md section 6.
namespace kopiur::orchestration {

using namespace proto;

namespace {

constexpr std::string_view no_snapshot = "NoSnapshot";

run_failure fail(failure_class why, std::string message) { return {.class_ = why, .message = std::move(message)}; }

restore const* object_of(world const& all, run_state const& run) {
  auto* found = mirror::find(all.objects.restores, run.order.object.namespace_, run.order.object.name);
  return found && found->metadata.uid == run.order.object.uid ? found : nullptr;
}

/// The user asked for it again (`restore-again`) before this run had found what to do: another run does it.
bool is_superseded(restore const& object, run_state const& run) {
  return !run.plan && run.run != restore_run(object, std::string(run.order.parameters.text("claimUid")));
}

/// Waiting ends by the Restore's own deadline; a passive one's counts from when the claim came.
std::optional<refused> too_long(world const& all, restore const& object, run_state const& run) {
  auto since = object.spec.target ? *object.metadata.creation_timestamp : run.ordered_at;
  auto deadline = since + std::chrono::seconds(object.spec.failure_policy.active_deadline_seconds);
  if (all.now < deadline) return {};
  return refused{fail(failure_class::DeadlineExceeded,
                      "What the Restore waits for did not come before spec.failurePolicy.activeDeadlineSeconds were over.")};
}

preparation missing_snapshot(world const& all, restore const& object, choice const& it, run_state const& run) {
  if (object.spec.policy.on_missing_snapshot == on_missing_snapshot::Continue && !it.held_back)
    return nothing_to_do{it.none + " Nothing is put into the volume, as onMissingSnapshot: Continue says."};
  auto since = run.waits && run.waits->reason == no_snapshot ? run.changed_at : all.now;
  auto until = since + object.spec.policy.wait_timeout;
  auto timeout = to_text(object.spec.policy.wait_timeout);
  if (all.now >= until)
    return refused{fail(failure_class::SnapshotMissing, it.none + " None came within " + timeout + " (spec.policy.waitTimeout).")};
  constexpr duration look_again{15'000};
  wait for_one{.why = {std::string(no_snapshot), it.none + " Waiting for one for " + timeout + " (spec.policy.waitTimeout)."},
               .look_again = std::min(until, all.now + look_again)};
  if (auto newer = look_for_newer(all, it, run)) for_one.asks.push_back(*std::move(newer));
  return for_one;
}

restore_resolved pinned(world const& all, choice const& it) {
  auto ref = it.repository.ref();
  restore_resolved to{
      .resolution = it.snapshot.empty() ? restore_resolution::NoSnapshot : restore_resolution::Snapshot,
      .repository = resolved_repository{.kind = it.repository.kind, .name = ref.name, .unique_ID = it.repository.status->unique_ID},
      .identity = it.source,
      .pinned_at = all.now};
  if (!ref.namespace_.empty()) to.repository->namespace_ = ref.namespace_;
  if (!it.backup_name.empty()) to.backup_ref = it.backup_name;
  if (!it.snapshot.empty()) to.snapshot_ID = it.snapshot;
  return to;
}

preparation plan_for(world const& all, restore const& object, choice const& it, claim_now const& claim) {
  auto way = way_to(it.repository, object.metadata.namespace_, it.mover);
  if (auto missing = waits_for_secret(all, way)) return *missing;
  auto unique = *it.repository.status->unique_ID;
  run_plan plan;
  plan.class_ = claim.ours ? plan_class::Repeatable : plan_class::AtMostOnce;
  plan.attempts = object.spec.failure_policy.backoff_limit + 1;
  plan.deadline = std::chrono::seconds(object.spec.failure_policy.active_deadline_seconds);
  plan.priority = lease_priority::Restore;
  plan.leases = {{claim_key(all, object.metadata.namespace_, claim.name), lease_mode::Exclusive},
                 {repository_key(unique), lease_mode::Shared},
                 {"snapshot/" + unique + "/" + it.snapshot, lease_mode::Shared}};
  plan.serves = {mirror::ref_of(object)};
  plan.namespace_ = object.metadata.namespace_;
  way.access.read_only = true;
  plan.work.repository = std::move(way.access);
  plan.work.task = restore_work{.snapshot_ID = it.snapshot, .source = it.source, .target = "{{target}}", .options = object.spec.options};
  // Nobody reads a volume that was made for this. A kopia that is killed while it writes atomically leaves a file under a name that the
  // next attempt would not overwrite.
  if (claim.ours) std::get<restore_work>(plan.work.task).options.write_files_atomically = false;
  add_way(plan, std::move(way));
  plan.volumes.push_back(
      {.name = "target", .claim_namespace = object.metadata.namespace_, .claim_name = claim.name, .host_path = {}, .read_only = false});
  plan.resolved = json::share(json::encode(pinned(all, it)));
  return ready{std::move(plan)};
}

/// What goes into the claim, or what to do while that is not known.
std::expected<choice, preparation> what_to_restore(world const& all, restore const& object, run_state const& run,
                                                   std::string const& claim) {
  auto chosen = choose_snapshot(all, object, run, claim);
  if (auto* why = std::get_if<wait>(&chosen)) {
    // While a newer list is read, a run that waits for a snapshot goes on waiting for it, since when it began.
    if (run.waits && run.waits->reason == no_snapshot) why->why = *run.waits;
    return std::unexpected(*why);
  }
  if (auto* no = std::get_if<refused>(&chosen)) return std::unexpected(*no);
  auto& it = std::get<choice>(chosen);
  if (it.snapshot.empty()) return std::unexpected(missing_snapshot(all, object, it, run));
  return std::move(it);
}

/// A claim is made only for what is known to go into it, or an empty volume would be there for everybody to take (architecture, invariant
/// 6).
std::optional<preparation> nothing_for_a_claim_yet(world const& all, restore const& object, run_state const& run) {
  auto* wanted = object.spec.target ? std::get_if<new_claim>(&*object.spec.target) : nullptr;
  if (!wanted || mirror::find(all.objects.claims, object.metadata.namespace_, wanted->name)) return {};
  auto it = what_to_restore(all, object, run, wanted->name);
  if (it || std::holds_alternative<nothing_to_do>(it.error())) return {};
  return std::move(it).error();
}

preparation prepare(world const& all, run_state const& run) {
  auto* object = object_of(all, run);
  if (!object) return refused{fail(failure_class::InvalidWork, "Restore " + run.order.object.name + " is no longer there.")};
  if (is_superseded(*object, run)) return nothing_to_do{"The Restore was asked for again before this run began."};
  if (auto no = too_long(all, *object, run)) return *no;
  if (auto not_yet = nothing_for_a_claim_yet(all, *object, run)) return *std::move(not_yet);
  auto target = target_claim(all, *object, run);
  if (auto* why = std::get_if<wait>(&target)) return *why;
  if (auto* no = std::get_if<refused>(&target)) return *no;
  auto& claim = std::get<claim_now>(target);
  if (claim.filled) return nothing_to_do{"A Restore of this name has filled the claim already."};
  auto it = what_to_restore(all, *object, run, claim.name);
  return it ? plan_for(all, *object, *it, claim) : std::move(it).error();
}

/// The attempt of this run that stands as committed in the object itself.
int committed_before(world const& all, run_state const& run) {
  auto* object = object_of(all, run);
  auto* done = object && object->status.execution ? &*object->status.execution : nullptr;
  return done && done->run_ID == run.run && done->stage >= execution_stage::Committed ? done->attempt : 0;
}

/// Into an existing claim: the commitment stands in the object before the mover is asked for, so that no loss of the bus makes it twice.
bool receipt(world const& all, run_state const& run) {
  bool repeatable = run.plan && run.plan->class_ == plan_class::Repeatable;
  return repeatable || (run.attempt > 0 && committed_before(all, run) == run.attempt);
}

/// A claim that was to be filled and is no longer there needs nothing any more.
std::optional<std::string> claim_gone(world const& all, run_state const& run) {
  auto name = std::string(run.order.parameters.text("claim"));
  if (name.empty()) return {};
  auto* claim = mirror::find(all.objects.claims, run.order.object.namespace_, name);
  bool there = claim && claim->metadata.uid == run.order.parameters.text("claimUid") && !claim->metadata.deletion_timestamp;
  return there ? std::nullopt : std::optional("PersistentVolumeClaim " + name + " was deleted");
}

std::optional<execution_stage> stage_of(run_stage stage) {
  switch (stage) {
    case run_stage::Due:
      return {};
    case run_stage::Prepared:
      return execution_stage::Prepared;
    case run_stage::Committed:
      return execution_stage::Committed;
    case run_stage::Created:
      return execution_stage::Created;
    case run_stage::TerminalObserved:
      return execution_stage::TerminalObserved;
    case run_stage::FollowThroughComplete:
      return execution_stage::FollowThroughComplete;
  }
  __builtin_unreachable();
}

restore_phase phase_of(run_state const& run) {
  if (is_terminal(run.stage)) return run.outcome == run_outcome::Succeeded ? restore_phase::Completed : restore_phase::Failed;
  if (run.stage == run_stage::Created) return restore_phase::Restoring;
  return run.plan ? restore_phase::Resolving : restore_phase::Pending;
}

std::string why_failed(run_state const& run) {
  auto message = run.failure ? run.failure->message : std::string("The restore failed and did not say why.");
  if (run.outcome == run_outcome::Unknown)
    message += " It is not known how far it wrote; it is not tried again by itself. Look at the volume, then create a new Restore.";
  return message;
}

condition_claim ready_condition(run_state const& run, restore_phase phase) {
  auto ready = [](bool holds, std::string reason, std::string message) {
    return condition(condition_type::ready, holds, std::move(reason), std::move(message));
  };
  if (phase == restore_phase::Completed && run.plan) return ready(true, "Restored", "The volume holds the snapshot's files.");
  if (phase == restore_phase::Completed)
    return ready(true, "NothingToDo", run.log_tail.empty() ? "There was nothing to do." : run.log_tail);
  if (phase == restore_phase::Failed)
    return ready(false, run.outcome == run_outcome::Unknown || !run.failure ? "Unknown" : std::string(json::to_text(run.failure->class_)),
                 why_failed(run));
  if (run.waits) return ready(false, run.waits->reason, run.waits->message);
  return ready(false, std::string(json::to_text(phase)),
               phase != restore_phase::Restoring ? "The restore is being prepared."
               : run.started_at                  ? "The mover writes the files."
                                                 : "The mover is being started.");
}

std::optional<restore_resolved> pin_of(run_state const& run) {
  if (!run.plan || !run.plan->resolved) return {};
  auto pin = json::decode<restore_resolved>(*run.plan->resolved);
  return pin ? std::optional(std::move(*pin)) : std::nullopt;
}

run_timing timing_of(run_state const& run, bool over) {
  run_timing timing{.start_time = run.started_at};
  if (!over) return timing;
  timing.end_time = run.finished_at.value_or(run.changed_at);
  timing.duration_seconds = mirror::seconds_between(*timing.start_time, *timing.end_time);
  return timing;
}

restore_status status_of(run_state const& run, restore_phase phase) {
  restore_status to{.phase = phase, .resolved = pin_of(run)};
  bool over = mirror::is_over(phase);
  if (auto stage = stage_of(run.stage); stage && (run.plan || over))
    to.execution = execution_receipt{.run_ID = run.run, .stage = *stage, .attempt = run.attempt};
  if (to.execution && run.attempt > 0) to.execution->job_name = run.run + "-" + std::to_string(run.attempt);
  if (run.started_at) to.timing = timing_of(run, over);
  if (run.waits && run.waits->reason == no_snapshot) to.wait_started_at = run.changed_at;
  if (over && run.result)
    to.progress =
        restore_progress{.bytes_restored = run.result->restored_bytes, .files_restored = run.result->restored_files, .percent = 100};
  if (phase == restore_phase::Failed) to.failure = run.failure;
  if (over && !run.log_tail.empty()) to.log_tail = run.log_tail;
  return to;
}

std::vector<object_claim> report_active(restore const& object, run_state const& run) {
  auto phase = phase_of(run);
  auto status = status_of(run, phase);
  // What it says of this run stands until the run has come as far again: a lost bus must not take it back.
  bool forgotten = !status.execution && object.status.execution && object.status.execution->run_ID == run.run;
  if (forgotten) status.execution = object.status.execution, status.resolved = object.status.resolved;
  std::vector<condition_claim> conditions{ready_condition(run, phase)};
  if (mirror::is_over(phase) && run.result && run.result->ignored_permission_errors > 0)
    conditions.push_back(condition(
        condition_type::permission_errors_ignored, true, "Ignored",
        std::to_string(run.result->ignored_permission_errors) + " owners or modes could not be set (options.ignorePermissionErrors)."));
  return {claim_for(run.order.object, object.metadata.generation, json::encode(status), std::move(conditions))};
}

served_claim served(run_state const& run) {
  auto phase = phase_of(run);
  return {.name = std::string(run.order.parameters.text("claim")),
          .uid = std::string(run.order.parameters.text("claimUid")),
          .phase = phase,
          .resolved = pin_of(run),
          .message = ready_condition(run, phase).message};
}

/// A claim that was filled can be used once it is bound to what was filled (decisions.md section 6, Populator).
bool is_usable(world const& all, restore const& object, served_claim const& one) {
  auto* claim = mirror::find(all.objects.claims, object.metadata.namespace_, one.name);
  bool there = claim && claim->metadata.uid == one.uid && !claim->metadata.deletion_timestamp;
  return !there || claim->status.phase == "Bound";
}

/// All claims that it served, each in its newest run; one that cannot be filled makes the Restore Failed.
std::vector<object_claim> report_passive(world const& all, restore const& object, run_state const& run) {
  std::map<std::string, run_state const*> newest;
  for (auto* each : all.runs_of(object.metadata.uid, "restore")) {
    auto*& held = newest[std::string(each->order.parameters.text("claimUid"))];
    if (!held || held->ordered_at < each->ordered_at) held = each;
  }
  restore_status to{.phase = restore_phase::Completed};
  std::size_t open = 0, failed = 0, unbound = 0;
  for (auto& [_, each] : newest) {
    to.claims.push_back(served(*each));
    open += !mirror::is_over(to.claims.back().phase), failed += to.claims.back().phase == restore_phase::Failed;
    unbound += to.claims.back().phase == restore_phase::Completed && !is_usable(all, object, to.claims.back());
  }
  if (open || unbound)
    to.phase = restore_phase::Restoring;
  else if (failed)
    to.phase = restore_phase::Failed;
  auto count = std::to_string(to.claims.size());
  auto message = open      ? std::to_string(open) + " of " + count + " claims are being filled."
                 : unbound ? std::to_string(unbound) + " of " + count + " claims are filled, and not yet bound to their volumes."
                 : failed  ? std::to_string(failed) + " of " + count + " claims could not be filled; status.claims says why."
                           : "All " + count + " claims are filled.";
  auto reason = open ? "FillingClaims" : unbound ? "BindingClaims" : failed ? "ClaimsFailed" : "ClaimsFilled";
  return {claim_for(run.order.object, object.metadata.generation, json::encode(to),
                    {condition(condition_type::ready, to.phase == restore_phase::Completed, reason, message)})};
}

std::vector<object_claim> report(world const& all, run_state const& run) {
  auto* object = object_of(all, run);
  if (!object || is_superseded(*object, run)) return {};
  return object->spec.target ? report_active(*object, run) : report_passive(all, *object, run);
}

new_run order(restore const& object, std::string id, persistent_volume_claim const* claim) {
  run_order what{.plan = "restore", .object = mirror::ref_of(object)};
  if (claim) {
    what.parameters = json::value::make_object();
    what.parameters.set("claim", claim->metadata.name);
    what.parameters.set("claimUid", claim->metadata.uid);
  }
  return {std::move(id), std::move(what)};
}

/// Once the mover has filled the claim, the claim says so: before the Restore is seen as Completed for long, since one made anew under the
/// same name looks there. Of two the one that began later is the last, for they exclude each other.
void note_filled(upkeep& needs, restore const& object, persistent_volume_claim const* claim, run_state const& run) {
  bool done = is_terminal(run.stage) && run.outcome == run_outcome::Succeeded;
  if (!done || !claim || is_filled(*claim, object)) return;
  auto pin = pin_of(run);
  auto mark = mark_filled(*claim, object, pin ? pin->snapshot_ID.value_or("") : "", run.started_at.value_or(run.ordered_at));
  if (mark) needs.asks.push_back(std::move(*mark));
}

/// What a passive Restore says while it has filled nothing yet.
object_claim waits_for_claims(restore const& object, std::string const& without_pod, std::string const& bound,
                              std::string const& doubtful) {
  auto reason = without_pod.empty() ? "WaitingForClaims" : "WaitingForConsumer";
  auto message = without_pod.empty() ? std::string("Fills every claim whose spec.dataSourceRef names it; there is none to fill.")
                                     : "Waiting for the first pod that uses " + without_pod +
                                           ": its StorageClass gives it a volume only then (WaitForFirstConsumer).";
  if (!bound.empty()) reason = "TargetAlreadyBound", message += " Left alone, for they had volumes already: " + bound + ".";
  if (!doubtful.empty())
    reason = "FillNotProven", message += " Left as they are, for they say that they were filled (" + std::string(annotation::restored_by) +
                                         ") and nothing proves that kopiur wrote this: " + doubtful +
                                         ". To fill one again, give this Restore " + std::string(annotation::restore_again) +
                                         " with a new value.";
  return claim_for(mirror::ref_of(object), object.metadata.generation, json::object{{"phase", "Pending"}},
                   {condition(condition_type::ready, true, reason, message)});
}

upkeep tend_passive(world const& all, restore const& object) {
  upkeep needs;
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
    else if (mirror::waits_for_consumer(all.objects, *claim) && !mirror::has_consumer(*claim))
      without_pod.push_back(claim->metadata.name);
    else if (is_bound(*claim) && is_untouched(*claim))
      bound.push_back(claim->metadata.name);
    else if (may_fill(*claim, object))
      needs.orders.push_back(order(object, id, claim));
  }
  // Once there is a run, the runs say how it stands: what was said before them is taken back.
  if (begun)
    needs.claims.push_back(claim_for(mirror::ref_of(object), object.metadata.generation, json::value::make_object(), {}));
  else if (needs.orders.empty())
    needs.claims.push_back(waits_for_claims(object, listed(without_pod), listed(bound), listed(doubtful)));
  return needs;
}

persistent_volume_claim const* claim_of(world const& all, restore const& object) {
  auto name = std::visit([](auto& one) { return one.name; }, *object.spec.target);
  return mirror::find(all.objects.claims, object.metadata.namespace_, name);
}

}  // namespace

std::string restore_run(restore const& object, std::string const& claim_uid) {
  auto again = mirror::lookup(object.metadata.annotations, annotation::restore_again);
  if (claim_uid.empty() && again.empty()) return "restore-" + hash::digest_hex({"restore", object.metadata.uid}, 16);
  return "restore-" + hash::digest_hex({"restore", object.metadata.uid, claim_uid, again}, 16);
}

upkeep tend_restore(world const& all, restore const& object) {
  upkeep needs;
  if (object.metadata.deletion_timestamp) return needs;
  if (!object.spec.target) return tend_passive(all, object);
  auto id = restore_run(object, "");
  auto* run = all.run(id);
  bool done = mirror::is_over(object.status.phase) && object.status.execution && object.status.execution->run_ID == id;
  if (run)
    note_filled(needs, object, claim_of(all, object), *run);
  else if (!done)
    needs.orders.push_back(order(object, id, nullptr));
  return needs;
}

recipe const restore_recipe{.name = "restore",
                            .prepare = prepare,
                            .receipt = receipt,
                            .committed_before = committed_before,
                            .cancel = claim_gone,
                            .report = report};

}  // namespace kopiur::orchestration
