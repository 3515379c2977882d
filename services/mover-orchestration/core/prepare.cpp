#include <algorithm>

#include "common/encoding/join.hpp"
#include "services/mover-orchestration/core/stages.hpp"

/// Due and Prepared: the object, the plan, the leases and the before-hooks. Nothing has changed in a repository yet.
namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

step cancelled_before_acting(run_state const& run, instant now) {
  return observe(run, run_outcome::Failed, cancelled(run, " before it started"), now);
}

/// First creates the object that the run was ordered with, once: its name is derived from the run.
step create_ordered_object(run_state const& run, observation const& seen) {
  auto* said = seen.answer(create_object::member, run.run);
  bool refused_for_good =
      said && (said->code == answer_code::Invalid || said->code == answer_code::Forbidden || said->code == answer_code::AlreadyExists);
  if (refused_for_good)
    return observe(run, run_outcome::Failed,
                   failure(failure_class::InvalidWork, "The object of this run could not be created: " + said->message), seen.now);
  auto what = run.order.object.kind + " " + run.order.object.name;
  if (said && said->code == answer_code::Ok) {
    // The cache will show it soon. Or it was deleted before that, which only a live read can show. It is never created twice.
    constexpr duration usual{5'000}, look_again{15'000};
    auto* looked = seen.answer(read_object::member, run.run);
    if (looked && looked->code == answer_code::NotFound)
      return observe(run, run_outcome::Failed, failure(failure_class::Cancelled, what + " was deleted before its run could start."),
                     seen.now);
    bool late = seen.now - run.changed_at >= usual;
    std::vector<ask> asks;
    if (late) {
      auto made = run.order.object;
      made.uid = said->uid;
      asks.push_back({gateway_command{read_object{std::move(made)}}, run.run});
    }
    return waiting(run, {"CreatingObject", "Waiting until " + what + ", which was created, is seen."},
                   seen.now + (late ? look_again : usual), seen.now, std::move(asks));
  }
  std::vector<ask> asks{{gateway_command{create_object{*run.order.create}}, run.run}};
  return waiting(run, {"CreatingObject", "Waiting until " + what + " is created."}, seen.now + duration(15'000), seen.now, std::move(asks));
}

run_failure precondition_missing(wait const& one) {
  auto set_by = one.limit.empty() ? std::string() : " (" + std::string(one.limit) + ")";
  return failure(failure_class::PreconditionMissing, one.why.reason + ": " + one.why.message + " It waited longer than " +
                                                         to_text(*one.at_most) + set_by + ", so the run failed.");
}

/// Waits for something that a user must provide, up to a limit. Time in which the cluster did not answer does not count.
step wait_for_precondition(run_state const& run, observation const& seen, wait& one) {
  constexpr duration look_again{15'000};
  auto noted = run;
  bool waited = run.waits && run.waits->reason == one.why.reason;  // a run from before this time was recorded
  noted.missing_since = run.missing_since.value_or(waited ? run.changed_at : seen.now);
  if (*noted.missing_since > seen.now) return count_from_now(std::move(noted), &run_state::missing_since, one.why, seen.now);
  auto left = *one.at_most - seen.watched(*noted.missing_since);
  if (left <= duration::zero()) return observe(run, run_outcome::Failed, precondition_missing(one), seen.now);
  return waiting(noted, one.why, soonest(one.look_again, seen.now + std::max(left, look_again)), seen.now, std::move(one.asks));
}

/// Thousands of runs have these parts in common.
void share_parts(run_plan& plan) {
  plan.secrets = interned(json::share(*plan.secrets)), plan.volumes = interned(json::share(*plan.volumes));
  if (plan.pod) plan.pod = json::share(*plan.pod);
  if (auto* kopia = std::get_if<kopia_task>(&plan.body)) kopia->repository = interned(json::share(*kopia->repository));
}

struct when_prepared {
  run_state const& run;
  observation const& seen;

  step operator()(ready& one) const {
    auto next = run;
    share_parts(one.plan);
    next.plan = std::move(one.plan);
    next.stage = run_stage::Prepared;
    next.prepared_at = seen.now;
    next.waits.reset();
    next.missing_since.reset();
    // The bus has lost the fact that the run was committed. The run starts nothing more, so it needs no leases: a mover that may still run
    // has its own.
    bool once = next.plan->class_ == plan_class::AtMostOnce && seen.committed_before > 0;
    if (once) return was_created(next, seen.committed_before, seen.now);
    return write(std::move(next), run_prepared{}, seen.now);
  }
  step operator()(wait& one) const {
    if (one.at_most) return wait_for_precondition(run, seen, one);
    auto noted = run;
    noted.missing_since.reset();
    return waiting(noted, one.why, one.look_again, seen.now, std::move(one.asks));
  }
  step operator()(refused& one) const { return observe(run, run_outcome::Failed, one.failure, seen.now); }
  /// No mover runs, so the log shows the reason.
  step operator()(nothing_to_do& one) const {
    auto next = run;
    next.log_tail = std::move(one.why);
    return observe(std::move(next), run_outcome::Succeeded, {}, seen.now);
  }
};

/// The first lease, in the plan's order, that the run does not hold; nullptr when it holds all.
lease_need const* missing_lease(run_state const& run, observation const& seen) {
  for (auto& need : run.plan->leases)
    if (!holds(seen.lease(need.key), run)) return &need;
  return nullptr;
}

std::string why_not_yet(lease_state const* state, std::size_t before) {
  if (!state || state->holders.empty())
    return "it has not been granted yet; if the bus has lost its holder, the mover that runs under it must end first";
  auto names = encoding::join(state->holders, ", ", &lease_holder::run);
  return "held by " + names + (before > 0 ? "; " + std::to_string(before) + " ahead of this one" : "");
}

/// How long the reason of a wait stands. The holders change with every run that ends, and each update is a fact and a write to the cluster:
/// who has thousands before it is told less often, so that a whole queue costs some writes a second.
duration told_for(std::size_t ahead) {
  constexpr duration least{60'000}, for_each{2'000};
  return std::max(least, for_each * static_cast<std::int64_t>(ahead));
}

std::string waits_for(lease_need const& need) { return "Waiting for " + need.key + ": "; }

/// Until when the reason that the run gives stands; empty: it gives none of this lease.
std::optional<instant> told_until(lease_need const& need, run_state const& run, observation const& seen) {
  if (!run.waits || !run.waits->message.starts_with(waits_for(need))) return std::nullopt;
  return run.changed_at + told_for(seen.place(need.key).ahead);
}

wait_reason lease_wait(lease_need const& need, run_state const& run, observation const& seen) {
  auto until = told_until(need, run, seen);
  if (until && seen.now < *until) return *run.waits;
  return {"WaitingForLease", waits_for(need) + why_not_yet(seen.lease(need.key), seen.place(need.key).ahead) + "."};
}

/// The run that holds a lease for which this one does not wait. A holder that has expired is not counted: it is about to be replaced, or
/// renews the lease.
lease_holder const* taken_by(lease_state const* state, run_state const& run, instant now) {
  if (!state) return nullptr;
  auto found = std::ranges::find_if(
      state->holders, [&](lease_holder const& one) { return one.until > now && (one.run != run.run || one.cluster != run.cluster); });
  return found == state->holders.end() ? nullptr : &*found;
}

step acquire(run_state const& run, observation const& seen, lease_need const& need) {
  constexpr duration look_again{10'000}, ask_again_below{30'000}, answer_may_take{15'000};
  std::vector<ask> asks;
  auto wake = keep_leases(run, seen, asks);
  auto* state = seen.lease(need.key);
  if (auto* other = need.wait || run.attempt > 0 ? nullptr : taken_by(state, run, seen.now))
    return observe(run, run_outcome::Failed, failure(failure_class::LeaseTaken, need.key + " is held by " + other->run + "."), seen.now);
  auto* mine = seen.place(need.key).mine;
  bool stands = mine && mine->until - seen.now > ask_again_below;  // another request would change nothing
  if (!stands)
    asks.push_back(
        {lease_request{acquire_lease{need.key, run.cluster, run.run, need.mode, run.plan->priority, need.slots, need.wait}}, ""});
  // Who stands in line hears of its grant, and has nothing to do before it must ask or tell again.
  auto told = told_until(need, run, seen);
  auto again = stands && told && seen.now < *told ? std::min(*told, mine->until - ask_again_below) : seen.now + look_again;
  // Neither granted nor queued: the request is in flight, which is not reported. With many runs it would cost two more writes for each.
  auto unsaid_for = mine ? told_after : answer_may_take;
  return waiting(run, lease_wait(need, run, seen), soonest(wake, again), seen.now, std::move(asks), unsaid_for);
}

/// Obtains what is not kopiur's, while the leases are kept; nothing: it is held, and `note` is what to remember of it.
std::optional<step> until_secured(run_state const& run, observation const& seen, std::optional<json::value>& note) {
  if (!seen.secure) return std::nullopt;
  auto said = seen.secure();
  if (auto* held = std::get_if<secured>(&said)) {
    note = std::move(held->note);
    return std::nullopt;
  }
  if (auto* no = std::get_if<refused>(&said)) return observe(run, run_outcome::Failed, no->failure, seen.now);
  auto& one = std::get<wait>(said);
  auto noted = run;
  noted.missing_since.reset();
  auto next = one.at_most ? wait_for_precondition(run, seen, one) : waiting(noted, one.why, one.look_again, seen.now, std::move(one.asks));
  if (!next.fact) next.wake = soonest(next.wake, keep_leases(run, seen, next.asks));
  return next;
}

step commit(run_state const& run, observation const& seen, std::optional<json::value> note) {
  auto next = run;
  next.stage = run_stage::Committed;
  next.hooks_started = true;  // after-hooks run after the act even if there were no before-hooks
  ++next.attempt;
  next.committed_at = seen.now;
  next.secured = std::move(note);
  next.committed_after = seen.sequence;
  next.waits.reset();
  next.unstarted_since.reset();
  next.not_before.reset();
  next.missing_since.reset();
  next.leases.clear();
  for (auto& need : run.plan->leases)
    for (auto& holder : seen.lease(need.key)->holders)
      if (holder.run == run.run && holder.cluster == run.cluster) next.leases.push_back({need.key, holder.fence, need.mode});
  run_committed event{next.attempt};
  return write(std::move(next), event, seen.now);
}

}  // namespace

step due(run_state const& run, observation const& seen) {
  if (run.cancelled) return cancelled_before_acting(run, seen.now);
  if (run.order.create && !seen.object_exists) return create_ordered_object(run, seen);
  auto said = seen.prepare();
  return std::visit(when_prepared{run, seen}, said);
}

step prepared(run_state const& run, observation const& seen) {
  bool acted = run.attempt > 0;
  if (run.cancelled && !run.undoing) {
    if (!acted || !run.plan->undo_task) return cancelled_before_acting(run, seen.now);
    auto next = run;
    next.undoing = true;
    next.not_before.reset();  // the back-off of an attempt that is no longer wanted
    return write(std::move(next), run_waiting{"Undoing"}, seen.now);
  }
  if (!run.undoing && !run.plan->waits_unlimited && seen.now - *run.prepared_at > run.plan->deadline)
    return observe(run, run_outcome::Failed,
                   run.failure ? run.failure
                               : failure(failure_class::DeadlineExceeded,
                                         "The deadline of " + to_text(run.plan->deadline) + " passed before it could start."),
                   seen.now);
  if (auto held = before_leases(run, seen)) return *held;
  if (auto* need = missing_lease(run, seen)) return acquire(run, seen, *need);
  if (run.not_before && backs_off(*run.not_before, run.undoing ? run.undo_attempts : run.attempt, seen.now)) {
    std::vector<ask> asks;
    auto wake = keep_leases(run, seen, asks);
    return {.fact = {}, .asks = std::move(asks), .wake = soonest(wake, run.not_before)};
  }
  if (run.plan->gathers && seen.attendants && !run.gathered_at) return gather(run, seen);
  if (auto held = until_it_rests(run, seen)) return *held;
  if (auto held = while_another_has_it(run, seen)) return *held;
  if (!run.undoing && run.hooks_done < std::ssize(run.plan->before)) return next_before_hook(run, seen);
  std::optional<json::value> note;
  if (auto held = until_secured(run, seen, note)) return *held;
  return commit(run, seen, std::move(note));
}

}  // namespace kopiur::mover_orchestration
