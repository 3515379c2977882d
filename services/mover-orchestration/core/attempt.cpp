#include <algorithm>

#include "services/mover-orchestration/core/stages.hpp"
#include "services/systems/systems.hpp"

/// Committed and Created: creates one Job, once, and watches it until it has ended and none of its pods runs any more.
namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

/// Since when the plan's deadline counts.
instant counted_from(run_state const& run) {
  return run.plan->waits_unlimited ? run.committed_at.value_or(*run.prepared_at) : *run.prepared_at;
}

create_job job_order(run_state const& run, instant now) {
  auto& plan = *run.plan;
  auto left = std::chrono::duration_cast<std::chrono::seconds>(plan.deadline - (now - counted_from(run))).count();
  create_job command{.run = run.run,
                     .attempt = run.attempt,
                     .namespace_ = plan.namespace_,
                     .serves = plan.serves,
                     .body = plan.body,
                     .secrets = plan.secrets,
                     .volumes = plan.volumes,
                     .leases = run.leases,
                     .deadline_seconds = run.undoing ? 3600 : std::max<std::int64_t>(left, 60),
                     .pod = plan.pod ? std::optional(*plan.pod) : std::nullopt};
  for (auto& each : command.volumes)
    if (each.copy) each.copy->taken = run.captured_at.has_value();
  auto* kind = find_plan(run.order.plan);
  if (kind && kind->complete_job) kind->complete_job(run, command);
  return command;
}

ask end_job(run_state const& run) { return remove_job(run, run.attempt); }

/// True when the gateway has confirmed that nothing of the current attempt's Job exists. Used when the informer cache has no such Job.
bool proven_gone(run_state const& run, observation const& seen) {
  auto* said = seen.answer(delete_job::member, job_name(run));
  return said && (said->code == answer_code::Ok || said->code == answer_code::NotFound);
}

step ask_and_wait(run_state const& run, observation const& seen, std::vector<ask> asks, duration again) {
  auto wake = keep_leases(run, seen, asks);
  return {.fact = {}, .asks = std::move(asks), .wake = soonest(wake, seen.now + again)};
}

/// The attempt ended without success: tries again, or ends the run.
step after_failure(run_state const& run, observation const& seen, run_failure why) {
  auto next = run;
  next.result = seen.job ? seen.job->result : std::nullopt;
  if (seen.job) next.log_tail = seen.job->log_tail;
  auto& plan = *run.plan;
  if (run.undoing) {
    next.undo_attempts += 1;
    if (next.undo_attempts >= 5) {
      auto said = cancelled(run);
      said.message += " But what it may have left in the repository could not be removed: " + why.message;
      return observe(std::move(next), run_outcome::Failed, std::move(said), seen.now);
    }
  } else if (run.cancelled) {
    if (!plan.undo_task) return observe(std::move(next), run_outcome::Failed, cancelled(run), seen.now);
    next.undoing = true;
    next.stage = run_stage::Prepared;
    return write(std::move(next), run_attempt_failed{run.attempt, std::move(why)}, seen.now);
  } else {
    bool lost = why.class_ == failure_class::MoverLost;
    if (plan.class_ == plan_class::AtMostOnce && lost) return observe(std::move(next), run_outcome::Unknown, std::move(why), seen.now);
    bool again = plan.class_ == plan_class::Repeatable && why.retryable && run.attempt < plan.attempts;
    if (!again) return observe(std::move(next), run_outcome::Failed, std::move(why), seen.now);
    next.failure = why;
  }
  next.stage = run_stage::Prepared;
  next.not_before = seen.now + backoff(run.undoing ? next.undo_attempts : run.attempt);
  next.waits = wait_reason{
      "BackOff", "Attempt " + std::to_string(run.attempt) + " failed, trying again at " + to_text(*next.not_before) + ": " + why.message};
  return write(std::move(next), run_attempt_failed{run.attempt, std::move(why)}, seen.now);
}

step after_success(run_state const& run, observation const& seen) {
  auto next = run;
  if (run.undoing) {
    next.result.reset();
    return observe(std::move(next), run_outcome::Failed, cancelled(run), seen.now);
  }
  next.result = seen.job->result;
  next.row_pages = seen.job->row_pages;
  next.log_tail = seen.job->log_tail;
  bool unchanged = seen.job->result->outcome == outcome::Unchanged;
  return observe(std::move(next), unchanged ? run_outcome::Unchanged : run_outcome::Succeeded, {}, seen.now);
}

run_failure lost(job_status const* job) {
  auto why = job && !job->message.empty()
                 ? job->message
                 : std::string("The mover was lost: it ended without a result, or something other than kopiur removed it.");
  bool deadline = job && job->reason == "DeadlineExceeded";
  return failure(deadline ? failure_class::DeadlineExceeded : failure_class::MoverLost,
                 deadline ? "The mover was stopped at its deadline." : why, !deadline);
}

duration start_within(run_state const& run) { return run.plan->start_within.value_or(usual_pod_start); }

/// True when the pod has reported for longer than allowed that it cannot start. (An exhausted quota does not count: no pod exists yet.)
bool gave_up_start(run_state const& run, observation const& seen) {
  return run.unstarted_since && seen.watched(*run.unstarted_since) >= start_within(run);
}

run_failure not_started(run_state const& run) {
  auto said = run.waits ? run.waits->reason + ": " + run.waits->message : std::string("it did not say why");
  std::string limit = std::holds_alternative<kopia_task>(run.plan->body) ? "failurePolicy" : "the chart's global";
  return failure(failure_class::PodNotStarted,
                 "The mover's pod could not start within " + to_text(start_within(run)) + " (" + limit +
                     ".podStartDeadlineSeconds), so this attempt was given up. " + said,
                 true);
}

/// A mover that received SIGTERM although the run is not cancelled: a host shuts down, or a node is drained.
run_failure stopped_by_others(run_failure why) {
  why.class_ = failure_class::MoverLost;
  why.message = "The mover was stopped, not by kopiur: the host is shutting down, or a node is being drained.";
  why.retryable = true;
  return why;
}

/// A Job of this name may belong to an earlier life of the run, which the bus has lost. There the same attempt may have done something
/// else, such as undo what this one is to do.
bool did_other_task(run_state const& run, job_result const& result) {
  auto* kind = find_plan(run.order.plan);
  return kind && kind->answers && !kind->answers(run, result);
}

/// The bus lost the run, its application was released, and the Job of that life went on reading: what it saved is not of the quiesced
/// moment. Two lives of a run get different fences.
bool read_in_another_life(run_state const& run, observation const& seen) {
  auto& plan = *run.plan;
  bool reads_at_rest = plan.rests == rest_until::Read && (!plan.before.empty() || plan.occasion);
  return reads_at_rest && !run.undoing && seen.job && seen.job_leases && *seen.job_leases != run.leases;
}

run_failure of_another_life() {
  return failure(failure_class::MoverLost, "The Job of this attempt belongs to another run, which the bus has lost.", true);
}

/// Its pod had not started when kopiur gave up. A Job that is gone before its end was seen may have started in the last moment: of what
/// happens at most once, nobody knows that it did not.
bool never_ran(run_state const& run, observation const& seen) {
  if (!gave_up_start(run, seen)) return false;
  return seen.job ? !seen.job->started_at : !run.started_at && run.plan->class_ == plan_class::Repeatable;
}

/// The Job has ended in some way, and that is confirmed.
step ended(run_state const& run, observation const& seen) {
  auto* result = seen.job && seen.job->result ? &*seen.job->result : nullptr;
  bool ours = result && result->run == run.run;
  if (!ours) return after_failure(run, seen, never_ran(run, seen) ? not_started(run) : lost(seen.job));
  if (did_other_task(run, *result) || read_in_another_life(run, seen)) return after_failure(run, seen, of_another_life());
  if (result->outcome != outcome::Failed)
    return was_released(run) && !run.undoing ? after_failure(run, seen, cancelled(run)) : after_success(run, seen);
  auto why = result->failure.value_or(failure(failure_class::Unknown, "The mover failed and did not say why."));
  bool unasked = why.class_ == failure_class::Cancelled && !run.cancelled;
  return after_failure(run, seen, unasked ? stopped_by_others(std::move(why)) : std::move(why));
}

/// The run was committed and its Job never started: what it waited for did not come in time.
run_failure never_started(run_state const& run) {
  return failure(failure_class::DeadlineExceeded, "The deadline of " + to_text(run.plan->deadline) +
                                                      " passed before the mover could start" +
                                                      (run.waits ? ": " + run.waits->message : "."));
}

/// The Job reports why it does not run.
step wait_for_start(run_state const& run, observation const& seen) {
  constexpr std::string_view no_pod = "FailedCreate";
  auto noted = run;
  bool has_pod = seen.job->phase == job_phase::Starting && seen.job->reason != no_pod;
  noted.unstarted_since = has_pod ? std::optional(run.unstarted_since.value_or(seen.now)) : std::nullopt;
  wait_reason why{seen.job->reason, seen.job->message};
  bool uncounted = has_pod && !run.unstarted_since && run.waits == why;  // a run from before this time was recorded
  if (uncounted || (has_pod && *noted.unstarted_since > seen.now))
    return count_from_now(std::move(noted), &run_state::unstarted_since, std::move(why), seen.now);
  std::optional<instant> gives_up;
  if (has_pod) gives_up = seen.now + std::max(start_within(run) - seen.watched(*noted.unstarted_since), duration(15'000));
  return holding(noted, seen, std::move(why), gives_up);
}

/// Records when the mover began to run: a Job may wait for its pod. Retries keep the start of the first attempt.
void note_start(run_state& run, job_status const& job, instant now) {
  bool began = job.started_at || job.phase == job_phase::Running || job.phase == job_phase::Finished;
  if (began && !run.started_at) run.started_at = job.started_at.value_or(now);
}

}  // namespace

step wait_for_receipt(run_state const& run, observation const& seen) {
  constexpr duration a_write_may_take{60'000};
  return holding(run, seen, {"WritingReceipt", "Waiting until the object's status shows what is about to be done."},
                 seen.now + a_write_may_take, a_write_may_take);
}

step was_created(run_state const& run, int attempt, instant now) {
  auto next = run;
  next.stage = run_stage::Created;
  next.attempt = attempt;
  next.created_at = now;
  next.waits.reset();
  return write(std::move(next), run_created{attempt}, now);
}

step committed(run_state const& run, observation const& seen) {
  if (run.plan->gathers) return hold_open(run, seen);
  if (seen.job) {
    auto next = run;
    next.stage = run_stage::Created;
    next.created_at = seen.now;
    next.waits.reset();
    note_start(next, *seen.job, seen.now);
    return write(std::move(next), run_created{run.attempt}, seen.now);
  }
  bool too_late = seen.now - counted_from(run) > run.plan->deadline;
  if ((run.cancelled || too_late) && !run.undoing) {  // the create may be in flight: only a confirmed deletion shows that nothing runs
    if (proven_gone(run, seen)) return after_failure(run, seen, run.cancelled ? lost(nullptr) : never_started(run));
    return ask_and_wait(run, seen, {end_job(run)}, duration(15'000));
  }
  if (!run.undoing && !seen.receipt_seen) return wait_for_receipt(run, seen);
  auto* said = seen.answer(create_job::member, job_name(run));
  if (said && (said->code == answer_code::Invalid || said->code == answer_code::Forbidden))
    return observe(run, run_outcome::Failed, failure(failure_class::InvalidWork, "The mover could not be started: " + said->message),
                   seen.now);
  if (said && said->code == answer_code::LeaseLost) {  // before the Job existed: nothing was done
    // Unless an earlier create succeeded and its answer was lost: its Job must not run at the same time as the next one.
    if (run.plan->class_ == plan_class::AtMostOnce && !proven_gone(run, seen))
      return ask_and_wait(run, seen, {end_job(run)}, duration(15'000));
    auto next = run;
    next.stage = run_stage::Prepared;
    return write(std::move(next), run_waiting{"LeaseLost"}, seen.now);
  }
  if (said && said->code == answer_code::Removed) return was_created(run, run.attempt, seen.now);
  std::vector<ask> asks{{gateway_command{job_order(run, seen.now)}, job_name(run)}};
  if (!said || said->code == answer_code::Ok) return ask_and_wait(run, seen, std::move(asks), duration(15'000));
  auto wake = soonest(keep_leases(run, seen, asks), seen.now + duration(15'000));
  return waiting(run, {"CreatingMover", "The mover cannot be started yet: " + said->message}, wake, seen.now, std::move(asks));
}

step created(run_state const& run, observation const& seen) {
  bool over = seen.job && (seen.job->phase == job_phase::Finished || seen.job->phase == job_phase::Lost) && seen.job->pods_gone;
  if (over) {
    auto known = run;
    note_start(known, *seen.job, seen.now);
    return ended(known, seen);
  }
  if (!seen.job) {  // removed by another client: have the removal confirmed, then the attempt is lost
    if (proven_gone(run, seen)) return ended(run, seen);
    return ask_and_wait(run, seen, {end_job(run)}, duration(15'000));
  }
  bool unwanted = (run.cancelled && !run.undoing) || read_in_another_life(run, seen);
  if (unwanted) return ask_and_wait(run, seen, {end_job(run)}, duration(15'000));
  if (gave_up_start(run, seen) && seen.job->phase == job_phase::Starting) return ask_and_wait(run, seen, {end_job(run)}, duration(15'000));
  if (!seen.job->reason.empty()) return wait_for_start(run, seen);
  if (seen.job->phase == job_phase::Running && (!run.started_at || run.waits)) {
    auto next = run;
    next.waits.reset();
    next.unstarted_since.reset();
    note_start(next, *seen.job, seen.now);
    return write(std::move(next), run_started{run.attempt}, seen.now);
  }
  return ask_and_wait(run, seen, {}, duration(60'000));
}

}  // namespace kopiur::mover_orchestration
