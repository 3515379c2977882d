#include "services/mover-orchestration/core/engine.hpp"

#include <algorithm>

#include "services/controller/core/jobs.hpp"
#include "services/mover-orchestration/core/stages.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

step by_stage(run_state const& run, observation const& seen) {
  switch (run.stage) {
    case run_stage::Due:
      return due(run, seen);
    case run_stage::Prepared:
      return prepared(run, seen);
    case run_stage::Committed:
      return committed(run, seen);
    case run_stage::Created:
      return created(run, seen);
    case run_stage::TerminalObserved:
      return closing(run, seen);
    case run_stage::FollowThroughComplete:
      return {};
  }
  __builtin_unreachable();
}

/// True when a quiesce period of this length has ended. Also true when its end is more than twice that length away: then the clock was
/// stepped back while the application was quiesced, and the elapsed time is unknown.
bool is_past(instant end, duration length, instant now) { return now >= end || end - now > 2 * length; }

/// Runs an after-hook in addition to the step of the stage, so that the application is not quiesced until the run is over.
step letting_go(run_state const& run, observation const& seen) {
  auto hook = next_after_hook(run, seen);
  if (hook->fact) return *hook;
  auto next = by_stage(run, seen);
  if (next.fact) return next;
  std::ranges::move(hook->asks, std::back_inserter(next.asks));
  next.wake = soonest(next.wake, hook->wake);
  return next;
}

}  // namespace

step advance(run_state const& run, observation const& seen) {
  bool open = !is_terminal(run.stage);
  auto rest_over = open ? rest_ends(run) : std::nullopt;
  auto unwanted = rest_over && is_past(*rest_over, *run.plan->rests_at_most, seen.now) ? std::optional(rested_too_long(run)) : seen.cancel;
  if (open && !run.cancelled && unwanted) {
    auto next = run;
    next.cancelled = unwanted->why, next.cancelled_as = unwanted->as;
    return write(next, run_cancel_requested{*next.cancelled}, seen.now);
  }
  bool fades = run.stage != run_stage::FollowThroughComplete && seen.now - run.changed_at > republish_after;
  if (fades) return write(run, run_waiting{run.waits ? run.waits->reason : "StillGoingOn"}, seen.now);
  auto next = open && may_release(run) ? letting_go(run, seen) : by_stage(run, seen);
  bool has_acted = run.stage >= run_stage::Committed && run.stage != run_stage::FollowThroughComplete;
  if (!next.fact && has_acted && seen.keep) std::ranges::move(seen.keep(), std::back_inserter(next.asks));
  if (!next.fact) next.wake = soonest(next.wake, rest_over);
  return next;
}

step write(run_state next, run_event event, instant now) {
  next.changed_at = now;
  return {.fact = run_fact{std::move(event), std::move(next)}, .asks = {}, .wake = {}};
}

step waiting(run_state const& run, wait_reason why, std::optional<instant> wake, instant now, std::vector<ask> asks, duration unsaid_for) {
  if (run.waits == why) return {.fact = {}, .asks = std::move(asks), .wake = wake};
  // Most waits end before a user could read about them. (A clock that was stepped back does not suppress the report.)
  auto told_at = run.changed_at + unsaid_for;
  if (run.changed_at <= now && now < told_at) return {.fact = {}, .asks = std::move(asks), .wake = soonest(wake, told_at)};
  auto next = run;
  next.waits = why;
  return write(std::move(next), run_waiting{why.reason}, now);
}

step count_from_now(run_state next, std::optional<instant> run_state::* since, wait_reason why, instant now) {
  next.*since = now;
  auto reason = why.reason;
  next.waits = std::move(why);
  return write(std::move(next), run_waiting{std::move(reason)}, now);
}

step observe(run_state next, run_outcome outcome, std::optional<run_failure> why, instant now) {
  next.stage = run_stage::TerminalObserved;
  next.outcome = outcome;
  next.failure = std::move(why);
  next.waits.reset();
  next.observed_at = now;
  return write(std::move(next), run_observed{outcome}, now);
}

std::optional<instant> keep_leases(run_state const& run, observation const& seen, std::vector<ask>& asks) {
  std::optional<instant> wake;
  for (auto& need : run.plan->leases) {
    auto* state = seen.lease(need.key);
    if (!state) continue;
    for (auto& holder : state->holders) {
      if (holder.run != run.run || holder.cluster != run.cluster) continue;
      if (holder.until - seen.now < renew_below) asks.push_back({lease_request{renew_lease{need.key, run.cluster, run.run}}, ""});
      // If renewal was just requested, check soon whether it succeeded; else wake when the next renewal is due.
      auto next = std::max(seen.now + duration(4000), holder.until - renew_below);
      wake = soonest(wake, next);
    }
  }
  return wake;
}

step holding(run_state const& run, observation const& seen, wait_reason why, std::optional<instant> wake, duration unsaid_for) {
  std::vector<ask> asks;
  auto renewed = keep_leases(run, seen, asks);
  return waiting(run, std::move(why), soonest(renewed, wake), seen.now, std::move(asks), unsaid_for);
}

std::string job_name(run_state const& run) { return run.run + "-" + std::to_string(run.attempt); }

ask remove_job(run_state const& run, int attempt) {
  delete_job one{.run = run.run, .attempt = attempt, .namespace_ = run.plan->namespace_};
  for (auto& each : *run.plan->volumes)
    if (each.copy) one.copies.push_back(each.name);
  one.grants = controller::refs_of(controller::grants_of(run.plan->body));
  return {gateway_command{std::move(one)}, run.run + "-" + std::to_string(attempt)};
}

}  // namespace kopiur::mover_orchestration
