#include <algorithm>
#include <map>

#include "common/encoding/join.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/plans/restore.hpp"
#include "services/systems/kopiur/rules/restores.hpp"
#include "services/systems/kopiur/rules/timing.hpp"

/// The status of a Restore, derived from its runs. decisions.md section 6.
namespace kopiur::plans {

using namespace proto;

namespace {

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

std::string plan_text(restore_preview const& plan, std::string const& passed_over) {
  auto counted = [](std::int64_t count, std::string_view what) { return std::to_string(count) + " " + std::string(what); };
  auto text = "Nothing was written. Of snapshot " + plan.snapshot_ID + " (" + counted(plan.files, "files, ") +
              counted(plan.bytes, "bytes) ") + counted(plan.created, "would be created, ") + counted(plan.replaced, "replaced, ") +
              counted(plan.unchanged, "are there already");
  if (plan.deleted > 0) text += "; " + counted(plan.deleted, "of the target would be deleted");
  if (plan.ownership_lost > 0) text += "; " + counted(plan.ownership_lost, "owners or modes could not be kept");
  return text + "." + passed_over + " Set spec.dryRun to false to have it done.";
}

/// A sentence about newer snapshots that were skipped; empty: none were.
std::string passed_over(run_state const& run) {
  auto pin = pin_of(run);
  if (!pin || pin->passed_over.empty()) return {};
  return " It is not the newest: " + encoding::join(pin->passed_over) +
         ". To restore one of these, name its snapshotID in spec.source.identity.";
}

condition_fragment ready_condition(run_state const& run, restore_phase phase) {
  auto* result = result_of(run);
  auto ready = [](bool holds, std::string reason, std::string message) {
    return condition(condition_type::ready, holds, std::move(reason), std::move(message));
  };
  if (phase == restore_phase::Completed && result && result->preview)
    return ready(true, "Planned", plan_text(*result->preview, passed_over(run)));
  if (phase == restore_phase::Completed && run.plan)
    return ready(true, "Restored", "The volume holds the snapshot's files." + passed_over(run));
  if (phase == restore_phase::Completed)
    return ready(true, "NothingToDo", run.log_tail.empty() ? "There was nothing to do." : run.log_tail);
  if (phase == restore_phase::Failed)
    return ready(false, run.outcome == run_outcome::Unknown || !run.failure ? "Unknown" : run.failure->class_.json_text(), why_failed(run));
  if (run.waits) return ready(false, run.waits->reason, run.waits->message);
  return ready(false, std::string(json::to_text(phase)),
               phase != restore_phase::Restoring ? "The restore is being prepared."
               : !run.started_at                 ? "The mover is being started."
               : is_dry(run)                     ? "The mover looks at what there is."
                                                 : "The mover writes the files.");
}

run_timing timing_of(run_state const& run, bool over) {
  run_timing timing{.start_time = run.started_at};
  if (!over) return timing;
  timing.end_time = run.finished_at.value_or(run.changed_at);
  timing.duration_seconds = rules::seconds_between(*timing.start_time, *timing.end_time);
  return timing;
}

restore_status status_of(run_state const& run, restore_phase phase) {
  restore_status status{.phase = phase, .resolved = pin_of(run)};
  bool over = rules::is_over(phase);
  auto* result = over ? result_of(run) : nullptr;
  if (auto stage = stage_of(run.stage); stage && (run.plan || over))
    status.execution = execution_receipt{.run_ID = run.run, .stage = *stage, .attempt = run.attempt};
  if (status.execution && run.attempt > 0) status.execution->job_name = run.run + "-" + std::to_string(run.attempt);
  if (run.started_at) status.timing = timing_of(run, over);
  if (run.waits && run.waits->reason == no_snapshot) status.wait_started_at = run.changed_at;
  if (result) {
    status.progress = restore_progress{.bytes_restored = result->restored_bytes, .files_restored = result->restored_files, .percent = 100};
    status.plan = result->preview;
  }
  if (phase == restore_phase::Failed) status.failure = run.failure;
  if (over && !run.log_tail.empty()) status.log_tail = run.log_tail;
  return status;
}

condition_fragment kept(ownership_report const& found) {
  if (found.lost > 0) return condition(condition_type::ownership_kept, false, "OwnershipLost", ownership_text(found));
  return condition(condition_type::ownership_kept, true, "Kept", "Owners, groups and modes are as in the snapshot.");
}

/// Files were written, but could not be compared with the snapshot afterwards.
condition_fragment not_compared() {
  return {.type = std::string(condition_type::ownership_kept),
          .status = "Unknown",
          .reason = "NotCompared",
          .message = "The files were written. Whether their owners and modes are as in the snapshot could not be checked."};
}

/// The run has ended and has written files.
bool has_written(run_state const& run) {
  return is_terminal(run.stage) && run.outcome == run_outcome::Succeeded && result_of(run) && !is_dry(run);
}

/// The runs of the Restore that count: the newest for each claim.
std::vector<run_state const*> newest_runs(cluster_view const& all, restore const& object) {
  std::map<std::string, run_state const*> newest;
  for (auto* each : all.runs_of(object.metadata.uid, "restore")) {
    auto claim = std::string(each->order.parameters.text("claimUid"));
    if (claim.empty() != object.spec.target.has_value() || is_dry(*each)) continue;
    auto*& held = newest[claim];
    if (!held || controller::is_older(*held, *each)) held = each;
  }
  std::vector<run_state const*> out;
  for (auto& [_, each] : newest) out.push_back(each);
  return out;
}

void add_ownership(cluster_view const& all, restore const& object, restore_status& status, std::vector<condition_fragment>& conditions) {
  status.ownership = ownership_of(all, object);
  if (status.ownership)
    conditions.push_back(kept(*status.ownership));
  else if (std::ranges::any_of(newest_runs(all, object), [](auto* each) { return has_written(*each); }))
    conditions.push_back(not_compared());
}

std::vector<object_status> report_active(cluster_view const& all, restore const& object, run_state const& run) {
  auto phase = phase_of(run);
  auto status = status_of(run, phase);
  // The status keeps what it says about this run until the run is that far again, so a lost bus does not reset it.
  bool forgotten = !status.execution && object.status.execution && object.status.execution->run_ID == run.run;
  if (forgotten) status.execution = object.status.execution, status.resolved = object.status.resolved;
  if (object.spec.target)
    status.target = restore_target_status{.pvc_ref = std::visit([](auto& one) { return one.name; }, *object.spec.target)};
  std::vector<condition_fragment> conditions{ready_condition(run, phase)};
  if (!is_dry(run)) add_ownership(all, object, status, conditions);
  if (rules::is_over(phase) && result_of(run) && result_of(run)->ignored_permission_errors > 0)
    conditions.push_back(condition(
        condition_type::permission_errors_ignored, true, "Ignored",
        std::to_string(result_of(run)->ignored_permission_errors) + " owners or modes could not be set (options.ignorePermissionErrors)."));
  return {claim_for(run.order.object, object.metadata.generation, json::encode(status), std::move(conditions))};
}

/// In a cluster a mover fills a temporary claim for one that has no volume; it is deleted once the volume is handed over.
std::optional<std::string> prime_of(cluster_view const& all, restore const& object, run_state const& run, std::string const& name,
                                    std::string const& uid) {
  auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), object.metadata.namespace_, name);
  bool filled_there = all.can.pods && claim && claim->metadata.uid == uid && !is_bound(*claim) && run.stage >= run_stage::Created;
  return filled_there ? std::optional(prime_name(uid)) : std::nullopt;
}

served_claim served(cluster_view const& all, restore const& object, run_state const& run) {
  auto phase = phase_of(run);
  served_claim out{.name = std::string(run.order.parameters.text("claim")),
                   .uid = std::string(run.order.parameters.text("claimUid")),
                   .phase = phase,
                   .resolved = pin_of(run),
                   .message = ready_condition(run, phase).message};
  out.pvc_prime = prime_of(all, object, run, out.name, out.uid);
  return out;
}

/// A filled claim is usable once it is bound to the filled volume (decisions.md section 6, Populator).
bool is_usable(cluster_view const& all, restore const& object, served_claim const& one) {
  auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), object.metadata.namespace_, one.name);
  bool there = claim && claim->metadata.uid == one.uid && !claim->metadata.deletion_timestamp;
  return !there || claim->status.phase == "Bound";
}

/// Status over all claims, each by its newest run; one claim that cannot be filled makes the Restore Failed.
std::vector<object_status> report_passive(cluster_view const& all, restore const& object, run_state const& run) {
  restore_status status{.phase = restore_phase::Completed};
  std::size_t open = 0, failed = 0, unbound = 0;
  for (auto* each : newest_runs(all, object)) {
    status.claims.push_back(served(all, object, *each));
    open += !rules::is_over(status.claims.back().phase), failed += status.claims.back().phase == restore_phase::Failed;
    unbound += status.claims.back().phase == restore_phase::Completed && !is_usable(all, object, status.claims.back());
  }
  if (open || unbound)
    status.phase = restore_phase::Restoring;
  else if (failed)
    status.phase = restore_phase::Failed;
  auto count = std::to_string(status.claims.size());
  auto message = open      ? std::to_string(open) + " of " + count + " claims are being filled."
                 : unbound ? std::to_string(unbound) + " of " + count + " claims are filled, and not yet bound to their volumes."
                 : failed  ? std::to_string(failed) + " of " + count + " claims could not be filled; status.claims says why."
                           : "All " + count + " claims are filled.";
  if (status.claims.size() == 1)
    status.target = restore_target_status{.pvc_prime = status.claims[0].pvc_prime, .pvc_ref = status.claims[0].name};
  auto reason = open ? "FillingClaims" : unbound ? "BindingClaims" : failed ? "ClaimsFailed" : "ClaimsFilled";
  std::vector<condition_fragment> conditions{condition(condition_type::ready, status.phase == restore_phase::Completed, reason, message)};
  add_ownership(all, object, status, conditions);
  return {claim_for(run.order.object, object.metadata.generation, json::encode(status), std::move(conditions))};
}

}  // namespace

std::optional<ownership_report> ownership_of(cluster_view const& all, restore const& object) {
  constexpr std::size_t named = 3;
  std::optional<ownership_report> sum;
  for (auto* each : newest_runs(all, object)) {
    auto* result = is_terminal(each->stage) ? result_of(*each) : nullptr;
    if (!result) continue;
    if (!result->ownership && has_written(*each)) return {};
    if (!result->ownership) continue;
    auto& one = *result->ownership;
    if (!sum) sum.emplace();
    sum->entries += one.entries, sum->lost += one.lost;
    for (auto& example : one.examples)
      if (sum->examples.size() < named) sum->examples.push_back(example);
  }
  return sum;
}

std::string ownership_text(ownership_report const& found) {
  return std::to_string(found.lost) + " of " + std::to_string(found.entries) +
         " entries were restored with another owner, group or mode than the snapshot has: " + encoding::join(found.examples) + ".";
}

std::vector<object_status> report_restore(cluster_view const& all, run_state const& run) {
  auto* object = restore_of(all, run);
  if (!object || is_superseded(*object, run)) return {};
  bool is_current = run.run == restore_run(*object, std::string(run.order.parameters.text("claimUid")));
  if (is_dry(run) && !is_current) return {};  // the restore was requested since
  return object->spec.target || object->spec.dry_run ? report_active(all, *object, run) : report_passive(all, *object, run);
}

}  // namespace kopiur::plans
