#include <algorithm>

#include "services/mover-orchestration/core/stages.hpp"

/// An occasion is a run that quiesces one application for several runs, its members. It waits until they are ready, runs the before-hooks,
/// lets each member take what it needs, and runs the after-hooks. Both sides read each other's facts. A decision about a run is a fact of
/// that run alone, so that nothing counts that was read after the application was released.
namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

using standing = attendant::state;

/// How long the others are awaited after the first one is ready.
constexpr duration gathers_for = std::chrono::minutes(1);
constexpr duration look_again{15'000};

bool is_settled(attendant const& one) { return one.is == standing::ready || one.is == standing::over; }

std::string named(std::vector<attendant> const& all, standing is) {
  std::string names;
  for (auto& each : all)
    if (each.is == is) names += (names.empty() ? "" : ", ") + each.name;
  return names;
}

wait_reason waits_for(std::vector<attendant> const& all, bool one_is_ready) {
  auto missing = named(all, standing::missing), queueing = named(all, standing::prepared);
  std::string text = one_is_ready ? "Waiting, for a minute at most, until the others of its group are ready" : "Waiting until one is ready";
  if (!missing.empty()) text += "; what is missing for " + missing + " is in the status of each";
  if (!queueing.empty())
    text += "; " + queueing +
            (one_is_ready ? " read the live volume and wait for a slot of their repository: the application will be at rest until "
                            "all of them have been read"
                          : " wait for a slot or a lock");
  return {"WaitingForSources", text + "."};
}

step settle(run_state next, std::vector<attendant> const& all, instant now) {
  for (auto& each : all)
    if (takes_part(each)) next.members.push_back(each.who);
  if (next.members.empty())
    return observe(std::move(next), run_outcome::Failed, failure(failure_class::Cancelled, "None of its Backups is left."), now);
  next.gathered_at = now;
  next.waits.reset();
  return write(std::move(next), run_gathered{}, now);
}

bool is_committed(run_state const& occasion) { return occasion.stage == run_stage::Committed && !occasion.cancelled; }

step wait_with(run_state const& run, observation const& seen, run_state const* occasion) {
  auto why = occasion && occasion->waits ? *occasion->waits
                                         : wait_reason{"WaitingForSources", "Ready; waiting for the other sources of its group."};
  return holding(run, seen, std::move(why), seen.now + look_again);
}

/// The key differs for each occasion: a capture from before the bus was lost does not belong to this one.
std::string capture_key(run_state const& run, run_state const& occasion) {
  return run.run + "-capture-" + std::to_string(occasion.gathered_at->time_since_epoch().count());
}

ask capture_for(run_state const& run, run_state const& occasion) {
  capture_volumes command{.run = run.run, .namespace_ = run.plan->namespace_, .serves = run.plan->serves, .volumes = run.plan->volumes};
  std::vector<std::string> claims;
  for (auto& each : occasion.members)
    if (!each.claim.empty()) claims.push_back(each.claim);
  std::erase_if(command.volumes, [](volume_use const& use) { return !use.copy; });
  for (auto& each : command.volumes)
    if (each.copy->together) each.copy->together->claims = claims;
  return {gateway_command{std::move(command)}, capture_key(run, occasion)};
}

step capture_source(run_state const& run, observation const& seen, run_state const& occasion) {
  auto* said = seen.answer(capture_volumes::member, capture_key(run, occasion));
  if (said && said->code == answer_code::Ok) {
    auto next = run;
    next.captured_at = seen.now;
    next.waits.reset();
    return write(std::move(next), run_captured{}, seen.now);
  }
  bool refused_for_good =
      said && (said->code == answer_code::Invalid || said->code == answer_code::Forbidden || said->code == answer_code::Removed);
  if (refused_for_good)
    return observe(run, run_outcome::Failed, failure(failure_class::InvalidWork, "The source could not be captured: " + said->message),
                   seen.now);
  auto why = said ? "The source cannot be captured yet: " + said->message : std::string("Waiting until a snapshot of the source is cut.");
  return waiting(run, {"Capturing", std::move(why)}, seen.now + look_again, seen.now, {capture_for(run, occasion)});
}

}  // namespace

step gather(run_state const& run, observation const& seen) {
  auto all = seen.attendants();
  auto next = run;
  next.opened_at = run.opened_at.value_or(seen.now);
  bool one_is_ready = std::ranges::find(all, standing::ready, &attendant::is) != all.end();
  bool began = run.first_ready_at && *run.first_ready_at <= seen.now;  // false also when the clock was stepped back
  if (one_is_ready && !began) next.first_ready_at = seen.now;
  auto until = next.first_ready_at ? std::optional(*next.first_ready_at + gathers_for) : std::nullopt;
  if (std::ranges::all_of(all, is_settled) || (until && seen.now >= *until)) return settle(std::move(next), all, seen.now);
  if (next.opened_at != run.opened_at || next.first_ready_at != run.first_ready_at)
    return write(std::move(next), run_waiting{"Gathering"}, seen.now);
  return holding(run, seen, waits_for(all, until.has_value()), soonest(until, seen.now + look_again));
}

step hold_open(run_state const& run, observation const& seen) {
  if (std::ranges::all_of(run.members, [&](auto& each) { return is_done(seen.other(each.run)); }))
    return run.cancelled ? observe(run, run_outcome::Failed, cancelled(run), seen.now) : observe(run, run_outcome::Succeeded, {}, seen.now);
  auto ends = *run.prepared_at + run.plan->deadline;
  if (!run.cancelled && seen.now > ends) {
    auto next = run;
    next.cancelled_as = failure_class::DeadlineExceeded;
    next.cancelled = "The deadline of " + to_text(run.plan->deadline) + " passed before every source of the group was read.";
    return write(next, run_cancel_requested{*next.cancelled}, seen.now);
  }
  std::vector<ask> asks;
  auto wake = keep_leases(run, seen, asks);
  return {.fact = {}, .asks = std::move(asks), .wake = soonest(soonest(wake, ends), seen.now + look_again)};
}

std::optional<step> before_leases(run_state const& run, observation const& seen) {
  if (!run.plan->occasion || run.undoing) return {};
  auto* occasion = seen.other(*run.plan->occasion);
  if (run.plan->rests != rest_until::Copied) {
    bool may = run.attempt > 0 || (occasion && occasion->opened_at);
    return may ? std::nullopt : std::optional(wait_with(run, seen, occasion));
  }
  if (run.captured_at) return {};
  return occasion && is_committed(*occasion) ? capture_source(run, seen, *occasion) : wait_with(run, seen, occasion);
}

std::optional<step> until_it_rests(run_state const& run, observation const& seen) {
  if (!run.plan->occasion || run.undoing || run.attempt > 0 || has_its_copy(run)) return {};
  auto* occasion = seen.other(*run.plan->occasion);
  return occasion && is_committed(*occasion) ? std::nullopt : std::optional(wait_with(run, seen, occasion));
}

}  // namespace kopiur::mover_orchestration
