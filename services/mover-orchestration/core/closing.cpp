#include <algorithm>

#include "services/controller/core/jobs.hpp"
#include "services/mover-orchestration/core/stages.hpp"

/// TerminalObserved: the result is stored. Runs after-hooks, removes Jobs with their grants, passes the result on, releases leases; then
/// the run is over.
namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

/// Removes the Jobs of all attempts: their results are stored and visible in the object. A run without a plan owns no Job. Jobs with its
/// name are from before the bus was lost; removals_of_left_jobs removes them.
void remove_jobs(run_state const& run, observation const& seen, std::vector<ask>& asks) {
  if (!run.plan || run.plan->gathers) return;
  for (int attempt : seen.older_jobs) asks.push_back(remove_job(run, attempt));
  bool may_have_captured = run.plan->occasion && run.plan->rests == rest_until::Copied;
  int last = std::max(run.attempt, may_have_captured ? 1 : 0);
  if (last == 0) return;
  auto removal = remove_job(run, last);
  auto* said = seen.answer(delete_job::member, removal.key);
  bool done = !seen.job && said && (said->code == answer_code::Ok || said->code == answer_code::NotFound);
  if (!done) asks.push_back(std::move(removal));
}

void release_leases(run_state const& run, observation const& seen, std::vector<ask>& asks) {
  if (!run.plan) return;
  for (auto& need : run.plan->leases) {
    auto* state = seen.lease(need.key);
    bool named = holds(state, run) || seen.place(need.key).mine;
    if (named) asks.push_back({lease_request{release_lease{need.key, run.cluster, run.run}}, ""});
  }
}

}  // namespace

step closing(run_state const& run, observation const& seen) {
  std::vector<ask> asks;
  if (auto hook = next_after_hook(run, seen)) {
    if (hook->fact) return *hook;
    asks = std::move(hook->asks);
    auto wake = keep_leases(run, seen, asks);
    return {.fact = {}, .asks = std::move(asks), .wake = soonest(wake, hook->wake)};
  }
  remove_jobs(run, seen, asks);
  // In this order: what was granted is revoked and the result is passed on while nobody else may do the same.
  follow_through left;
  if (asks.empty() && seen.follow) left = seen.follow();
  std::ranges::move(left.asks, std::back_inserter(asks));
  bool granted = run.plan && !controller::grants_of(run.plan->body).empty();
  if (left.waits || (!asks.empty() && (seen.follow || granted))) {
    auto wake = keep_leases(run, seen, asks);
    return {.fact = {}, .asks = std::move(asks), .wake = soonest(wake, seen.now + duration(5'000))};
  }
  release_leases(run, seen, asks);
  if (!asks.empty()) return {.fact = {}, .asks = std::move(asks), .wake = seen.now + duration(15'000)};
  if (rests_with_others(run, seen.other)) return {.fact = {}, .asks = {}, .wake = seen.now + duration(15'000)};
  auto next = run;
  next.stage = run_stage::FollowThroughComplete;
  next.finished_at = seen.now;
  next.waits.reset();
  return write(std::move(next), run_finished{*run.outcome}, seen.now);
}

}  // namespace kopiur::mover_orchestration
