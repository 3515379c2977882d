#include <algorithm>

#include "proto/codec.hpp"
#include "services/mirror/core/timing.hpp"
#include "services/mover-orchestration/core/plans/plans.hpp"

/// What a backup run means for the status of its Backup.
namespace kopiur::orchestration {

using namespace proto;

namespace {

backup_phase phase_of(run_state const& run) {
  switch (run.stage) {
    case run_stage::Due:
    case run_stage::Prepared:
    case run_stage::Committed:
      return run.attempt > 1 ? backup_phase::Running : backup_phase::Pending;
    case run_stage::Created:
      return run.attempt > 1 || run.started_at ? backup_phase::Running : backup_phase::Pending;
    case run_stage::TerminalObserved:
    case run_stage::FollowThroughComplete:
      break;
  }
  return run.outcome == run_outcome::Succeeded || run.outcome == run_outcome::Unchanged ? backup_phase::Succeeded : backup_phase::Failed;
}

condition_claim ready_condition(run_state const& run, backup_phase phase) {
  if (phase == backup_phase::Succeeded) {
    bool unchanged = run.outcome == run_outcome::Unchanged;
    return condition(condition_type::ready, true, unchanged ? "Unchanged" : "Succeeded",
                     unchanged ? "The source is identical to its newest snapshot; nothing new was saved."
                               : "The snapshot is saved, and a list of the repository confirms it.");
  }
  if (phase == backup_phase::Failed)
    return condition(condition_type::ready, false, std::string(run.failure ? json::to_text(run.failure->class_) : "Unknown"),
                     run.failure ? run.failure->message : "The run failed and did not say why.");
  if (run.cancelled) return condition(condition_type::ready, false, "Cancelling", *run.cancelled);
  if (run.waits) return condition(condition_type::ready, false, run.waits->reason, run.waits->message);
  bool running = phase == backup_phase::Running;
  return condition(condition_type::ready, false, running ? "Running" : "Starting",
                   running ? "The mover runs." : "The mover is being started.");
}

/// A Job that waits for its turn is told when it runs, or when it says why it does not: that it was made would be a write for each Backup,
/// of nothing that anybody can act on.
bool tells_job(run_state const& run) {
  return run.attempt > 1 || (run.attempt == 1 && (run.started_at || run.waits || is_terminal(run.stage)));
}

/// What stood there while it ran ends at all of it.
backup_progress all_of(snapshot_stats const& stats, instant now) {
  return {.percent = 100, .bytes_hashed = stats.bytes_new, .files_processed = stats.files_new + stats.files_unchanged, .updated_at = now};
}

json::value status_of(run_state const& run, backup const& object, backup_phase phase) {
  backup_status to{.phase = phase, .origin = mirror::origin_of(object)};
  if (run.plan && run.plan->resolved) {
    if (auto pinned = json::decode<backup_resolved>(*run.plan->resolved)) to.resolved = *pinned;
  }
  if (tells_job(run)) to.job = backup_job{run.run + "-" + std::to_string(run.attempt), run.attempt};
  if (run.started_at) to.timing = run_timing{.start_time = run.started_at};
  bool over = phase == backup_phase::Succeeded || phase == backup_phase::Failed;
  if (over && run.result && run.result->snapshot) {
    to.snapshot = backup_snapshot{run.result->snapshot->id, run.result->snapshot->source};
    to.timing = run_timing{.start_time = run.result->snapshot->start_time, .end_time = run.result->snapshot->end_time};
  }
  if (over && !to.timing) to.timing = run_timing{};
  if (over && !to.timing->end_time) to.timing->end_time = run.changed_at;
  if (to.timing && to.timing->start_time && to.timing->end_time)
    to.timing->duration_seconds = mirror::seconds_between(*to.timing->start_time, *to.timing->end_time);
  if (over && run.result) to.stats = run.result->stats;
  if (over && !run.log_tail.empty()) to.log_tail = run.log_tail;
  if (phase == backup_phase::Failed) to.failure = run.failure;
  if (phase == backup_phase::Succeeded && to.stats) to.progress = all_of(*to.stats, run.changed_at);
  return json::encode(to);
}

/// What hooks did: whether those before the snapshot all succeeded, and whether all did.
void add_hooks(run_state const& run, std::vector<condition_claim>& to) {
  if (!run.plan) return;
  bool any = !run.plan->before.empty() || !run.plan->after.empty();
  if (!any) {
    to.push_back(condition(condition_type::sources_quiesced, false, "NoHooks", "The config has no hooks."));
    to.push_back(condition(condition_type::hooks_succeeded, true, "NoHooks", "The config has no hooks."));
    return;
  }
  bool quiesced = run.hooks_done == std::ssize(run.plan->before) &&
                  std::ranges::none_of(run.hooks_failed, [](auto& name) { return name.starts_with("before"); });
  auto failed =
      run.hooks_failed.empty() ? std::string("Every hook that ran succeeded.") : "These failed: " + listed(run.hooks_failed) + ".";
  to.push_back(condition(condition_type::sources_quiesced, quiesced, quiesced ? "HooksRan" : "HooksFailed",
                         quiesced ? "The hooks before the snapshot succeeded." : "The hooks before the snapshot did not all succeed."));
  to.push_back(
      condition(condition_type::hooks_succeeded, run.hooks_failed.empty(), run.hooks_failed.empty() ? "HooksRan" : "HooksFailed", failed));
}

}  // namespace

std::string listed(std::vector<std::string> const& names) {
  std::string text;
  for (auto& each : names) text += (text.empty() ? "" : ", ") + each;
  return text;
}

std::vector<object_claim> report_backup(backup const& object, run_state const& run) {
  auto phase = phase_of(run);
  // Of what is being deleted the other share says for what it waits; of two that state Ready the newer would be believed, and a run may end
  // after that.
  std::vector<condition_claim> conditions;
  if (!object.metadata.deletion_timestamp) conditions.push_back(ready_condition(run, phase));
  if (phase == backup_phase::Succeeded || phase == backup_phase::Failed) add_hooks(run, conditions);
  if (phase == backup_phase::Succeeded || phase == backup_phase::Failed)
    conditions.push_back(
        condition(condition_type::snapshot_created, run.result && run.result->snapshot.has_value(),
                  phase == backup_phase::Succeeded ? "Succeeded" : "Failed",
                  run.result && run.result->snapshot ? "Snapshot " + run.result->snapshot->id + "." : "There is no snapshot."));
  auto ref = mirror::ref_of(object);
  return {claim_for(ref, object.metadata.generation, status_of(run, object, phase), std::move(conditions))};
}

}  // namespace kopiur::orchestration
