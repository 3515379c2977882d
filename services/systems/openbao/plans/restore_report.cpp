#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"
#include "services/controller/core/event_once.hpp"
#include "services/systems/openbao/plans/restore.hpp"
#include "services/systems/openbao/plans/voters.hpp"

/// The status of a restore, and its Events.
namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

bool is_at_an_end(run_state const& run) { return run.stage == run_stage::FollowThroughComplete; }

std::string_view step_of(run_state const& run) {
  switch (run.stage) {
    case run_stage::Due:
      return "The cluster and the credentials are being checked.";
    case run_stage::Prepared:
      return "The operation lock of the cluster is being taken.";
    case run_stage::Committed:
      return "The Job is being created.";
    case run_stage::Created:
      return "The Job fetches the snapshot, and submits it to OpenBao.";
    default:
      return "The Job is over; what was made for it is being removed.";
  }
}

verdict while_open(cluster_view const& all, run_state const& run) {
  auto phase = run.stage >= run_stage::Committed ? bao_phase::Running : bao_phase::Validating;
  if (run.stage == run_stage::TerminalObserved && end_of(all, run).phase == bao_phase::Completed)
    if (auto left = bring_back(all, run); !left.is_done) return {phase, std::string(left.reason) + ": " + left.message};
  return {phase, run.waits ? run.waits->message : std::string(step_of(run))};
}

verdict at_the_end(cluster_view const& all, run_state const& run) {
  auto end = end_of(all, run);
  if (end.phase != bao_phase::Completed) return end;
  end.message += was_brought_back(all, run) ? " All voters are healthy." : " Its voters were not waited for any longer: look at its pods.";
  return end;
}

std::optional<bao_stage> stage_of(run_state const& run) {
  switch (run.stage) {
    case run_stage::Due:
      return std::nullopt;
    case run_stage::Prepared:
      return bao_stage::Prepared;
    case run_stage::Committed:
      return bao_stage::Committed;
    case run_stage::Created:
      return bao_stage::Created;
    case run_stage::TerminalObserved:
      return bao_stage::TerminalObserved;
    case run_stage::FollowThroughComplete:
      return bao_stage::FollowThroughComplete;
  }
  __builtin_unreachable();
}

std::optional<bao_execution> execution_of(cluster_view const& all, run_state const& run, bao_phase phase) {
  auto stage = stage_of(run);
  if (!stage || !run.plan) return std::nullopt;
  if (phase == bao_phase::Unknown) stage = bao_stage::Unknown;
  bao_execution out{.operation_ID = run.order.object.uid, .stage = stage};
  for (auto& each : run.plan->serves)
    if (each.kind == openbao_cluster::info.kind) out.target_UID = each.uid;
  out.prepared_at = run.prepared_at, out.committed_at = run.committed_at, out.created_at = run.created_at;
  if (run.attempt > 0) out.job_name = run.run + "-" + std::to_string(run.attempt);
  for (auto& [_, job] : in_namespace(all.objects.of<job>(), run.plan->namespace_))
    if (job.run == run.run && job.attempt == run.attempt) out.job_UID = job.uid;
  if (!is_terminal(run.stage) || run.attempt == 0) return out;
  out.terminal_observed_at = run.observed_at;
  if (run.result) out.terminal_result = run.result->outcome == outcome::Failed ? bao_result::Failed : bao_result::Succeeded;
  if (is_at_an_end(run)) out.follow_through_completed_at = run.finished_at;
  return out;
}

condition_fragment completion(verdict const& is) {
  auto said = [&](std::string status, std::string reason) {
    return condition_fragment{.type = std::string(condition_type::restore_complete),
                              .status = std::move(status),
                              .reason = std::move(reason),
                              .message = is.message};
  };
  switch (is.phase) {
    case bao_phase::Completed:
      return said("True", "RestoreSucceeded");
    case bao_phase::Failed:
      return said("False", "RestoreFailed");
    case bao_phase::Unknown:
      return said("Unknown", "RestoreUnknown");
    default:
      return said("False", "RestoreInProgress");
  }
}

/// The lock that the run has taken away from another holder; nothing: it was free.
std::optional<bao_operation_lock> overridden_by(run_state const& run) {
  auto read = run.secured ? json::decode<bao_operation_lock>(*run.secured) : std::unexpected(json::problem{});
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

std::string_view event_for(bao_phase end) {
  if (end == bao_phase::Completed) return "RestoreCompleted";
  return end == bao_phase::Failed ? "RestoreFailed" : "RestoreUnknown";
}

std::string override_text(bao_operation_lock const& lock) {
  return "The operation lock was taken from " + lock.holder + ", which held it for " + lock.operation + ".";
}

}  // namespace

verdict verdict_of(cluster_view const& all, run_state const& run) {
  return is_at_an_end(run) ? at_the_end(all, run) : while_open(all, run);
}

std::vector<object_status> report(cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  if (!wanted || !is_ours(all.objects)) return {};
  auto is = verdict_of(all, run);
  openbao_restore_status status{
      .phase = is.phase, .start_time = run.ordered_at, .snapshot_key = wanted->spec.source.key, .message = is.message};
  status.execution = execution_of(all, run, is.phase);
  if (is_at_an_end(run)) status.completion_time = run.finished_at;
  if (auto said = told_by(run); said.size > 0) status.snapshot_size = said.size;
  status_fragment fragment{.uid = wanted->metadata.uid,
                           .observed_generation = wanted->metadata.generation,
                           .status = json::encode(status),
                           .conditions = {completion(is)}};
  fragment.status.erase("conditions");
  if (auto lock = overridden_by(run))
    fragment.conditions.push_back(
        controller::condition(condition_type::operation_lock_override, true, "OperationLockOverridden", override_text(*lock)));
  return {{run.order.object, std::move(fragment)}};
}

std::vector<ask> events_of(cluster_view const& all, run_state const& run) {
  std::vector<ask> asks;
  auto tell = [&](std::string type, std::string reason, std::string message, std::optional<instant> since) {
    if (!since) return;
    record_event event{run.order.object, std::move(type), reason, std::move(message)};
    if (auto one = event_once(all, std::move(event), run.run + "-event-" + reason, *since, 10min)) asks.push_back(std::move(*one));
  };
  auto job = run.run + "-" + std::to_string(run.attempt);
  tell("Normal", "RestoreValidationStarted", "The cluster and the credentials are being checked.", run.ordered_at);
  bool blocked = run.waits && run.waits->reason == "OperationLockBlocked";
  if (blocked) tell("Warning", "OperationLockBlocked", run.waits->message, run.changed_at);
  if (auto lock = overridden_by(run)) tell("Warning", "OperationLockOverride", override_text(*lock), run.committed_at);
  tell("Normal", "RestoreStarted", "The restore is committed: it is submitted at most once.", run.committed_at);
  if (run.attempt > 0) tell("Normal", "RestoreJobCreated", "Created the Job " + job + ".", run.created_at);
  auto* wanted = restore_of(all.objects, run);
  auto cluster = wanted ? find_cluster(all.objects, wanted->metadata.namespace_, wanted->spec.cluster) : nullptr;
  bool works = run.stage == run_stage::Created;
  if (works && cluster && *cluster && has_lost_lock(**cluster, restore_lock(*wanted)))
    tell("Warning", "OperationLockLost", "Another holder has the operation lock, though this restore has not ended.", all.now);
  if (!is_at_an_end(run)) return asks;
  auto is = verdict_of(all, run);
  tell(is.phase == bao_phase::Completed ? "Normal" : "Warning", std::string(event_for(is.phase)), is.message, run.changed_at);
  return asks;
}

}  // namespace kopiur::openbao
