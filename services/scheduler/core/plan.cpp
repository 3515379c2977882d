#include "services/scheduler/core/plan.hpp"

#include <algorithm>

#include "services/mirror/core/run_ids.hpp"

namespace kopiur::scheduler {

namespace {

std::vector<std::string> active_runs(schedule_state const& state) {
  std::vector<std::string> active;
  if (state.last)
    for (auto const& one : state.last->runs)
      if (!one.terminal) active.push_back(one.run);
  return active;
}

/// Moves on to `slot`. A long way with misses on it is remembered, in case the clock is found to have been wrong.
void settle(schedule_state& state, instant slot, bool with_misses) {
  if (with_misses && slot - state.settled > leap_limit)
    state.leap = clock_leap{.from = state.settled, .to = slot};
  else if (state.leap && slot - state.leap->to > leap_limit)
    state.leap.reset();
  state.settled = slot;
}

/// The slots in (after, newest], counted; the newest of them listed.
missed missed_in(timetable const& of, instant after, instant newest) {
  missed m{.count = of.count(after, newest), .oldest = *of.next(after), .newest = newest, .slots = {newest}};
  while (m.slots.size() < listed_misses && m.slots.back() > m.oldest) m.slots.push_back(*of.previous(m.slots.back()));
  std::ranges::reverse(m.slots);
  return m;
}

/// A clock that had leapt far ahead is back where it came from: what it settled up there has not happened.
bool back_from_a_leap(schedule_state const& state, instant now) {
  return state.leap && now >= state.leap->from && state.settled - now > leap_limit;
}

bool too_late(proto::schedule_rules const& rules, instant begins, instant now) {
  if (!rules.starting_deadline_seconds) return false;
  constexpr std::int64_t ten_years = 315'360'000;
  auto deadline = std::chrono::seconds(std::min(*rules.starting_deadline_seconds, ten_years));
  return now - begins > std::max<duration>(deadline, least_deadline);
}

void fire(decision& d, fired what, proto::schedule_rules const& rules) {
  if (rules.concurrency_policy == proto::concurrency_policy::Replace) what.replaces = active_runs(d.state);
  d.state.last = last_fire{.slot = what.slot, .scheduled_at = what.scheduled_at};
  d.outcome.fired = std::move(what);
}

/// What the newest slot that has begun comes to.
void decide_slot(decision& d, timetable const& of, proto::schedule_rules const& rules, instant newest, instant now) {
  auto const settled = d.state.settled, begins = of.begins(newest), older = *of.previous(newest);
  settle(d.state, newest, older > settled);
  if (too_late(rules, begins, now)) {
    d.outcome.missed = missed_in(of, settled, newest);
    d.outcome.missed->too_late = true;
    return;
  }
  if (older > settled) d.outcome.missed = missed_in(of, settled, older);
  auto active = active_runs(d.state);
  if (rules.concurrency_policy == proto::concurrency_policy::Forbid && !active.empty())
    d.outcome.skipped = skipped{.slot = newest, .blocked_by_slot = d.state.last->slot, .blocked_by = std::move(active)};
  else
    fire(d, {.slot = newest, .scheduled_at = begins}, rules);
}

/// Brings the state to the rules of today: another timetable, a clock that is back.
void catch_up(decision& d, timetable const& of, instant now) {
  if (d.state.settled == instant{}) d.state.created = d.state.settled = now;
  if (back_from_a_leap(d.state, now)) {
    d.state.settled = now;
    d.state.leap.reset();
    d.outcome.rewound = true;
  }
  if (d.state.timetable == of.text()) return;
  bool edited = !d.state.timetable.empty();
  d.state.timetable = of.text();
  if (edited) d.state.settled = std::max(d.state.settled, now);
}

}  // namespace

schedule_state begin(std::string uid, instant created, std::optional<last_fire> last) {
  return {.uid = std::move(uid),
          .created = created,
          .settled = std::max(created, last ? last->slot : created),
          .create_settled = last.has_value(),
          .last = std::move(last)};
}

decision decide(timetable const& of, proto::schedule_rules const& rules, schedule_state state, instant now) {
  decision d{.state = std::move(state)};
  bool const resumed = d.state.suspended && !rules.suspend;
  d.state.suspended = rules.suspend;
  catch_up(d, of, now);
  if (rules.suspend) return d;

  auto newest = of.newest_begun(now);
  bool due = newest && *newest > d.state.settled;
  bool const fired_already = due && d.state.last && d.state.last->slot == *newest;  // up on a leap that has begun again
  if (due && resumed) d.outcome.passed = passed{.count = of.count(d.state.settled, *newest), .until = *newest};
  if (due && (resumed || fired_already)) settle(d.state, *newest, fired_already), due = false;
  bool const on_create = rules.run_on_create && !d.state.create_settled;
  d.state.create_settled = true;
  if (on_create)
    fire(d, {.slot = d.state.created, .scheduled_at = d.state.created, .on_create = true}, rules);
  else if (due)
    decide_slot(d, of, rules, *newest, now);
  d.next_slot = of.next(d.state.settled);
  if (d.next_slot) d.wait_until = of.begins(*d.next_slot);
  return d;
}

std::vector<slot_run> runs_of(std::string const& ns, std::string const& uid, instant slot, std::span<std::string const> sources) {
  std::vector<slot_run> runs;
  for (auto const& source : sources) runs.push_back({.source = source, .run = mirror::slot_run(ns, uid, slot, source)});
  return runs;
}

}  // namespace kopiur::scheduler
