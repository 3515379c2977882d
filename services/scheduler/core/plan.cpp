#include "services/scheduler/core/plan.hpp"

#include <algorithm>
#include <utility>

#include "proto/kopiur/longest.hpp"

namespace kopiur::scheduler {

namespace {

std::vector<std::string> active_runs(schedule_state const& state) {
  std::vector<std::string> active;
  if (state.last)
    for (auto const& one : state.last->runs)
      if (!one.terminal) active.push_back(one.run);
  return active;
}

/// Under Forbid: true when a run of the last slot is active, or when none of its sources is done. A run that waits for something missing
/// does not block the others.
bool is_blocked(schedule_state const& state) {
  if (!state.last || state.last->runs.empty()) return false;
  auto& runs = state.last->runs;
  bool works = std::ranges::any_of(runs, [](auto& one) { return !one.terminal && !one.waits; });
  return works || std::ranges::none_of(runs, &slot_run::terminal);
}

/// Advances `settled` to `slot`. A long advance over missed slots is remembered, in case the clock turns out to have been wrong.
void settle(schedule_state& state, instant slot, bool with_misses) {
  if (with_misses && slot - state.settled > leap_limit)
    state.leap = clock_leap{.from = state.settled, .to = slot};
  else if (state.leap && slot - state.leap->to > leap_limit)
    state.leap.reset();
  state.settled = slot;
}

/// Counts the slots in (after, newest] and lists the newest of them.
missed missed_in(timetable const& table, instant after, instant newest) {
  missed m{.count = table.count(after, newest), .oldest = *table.next(after), .newest = newest, .slots = {newest}};
  while (m.slots.size() < listed_misses && m.slots.back() > m.oldest) m.slots.push_back(*table.previous(m.slots.back()));
  std::ranges::reverse(m.slots);
  return m;
}

/// True when a clock that had leapt far ahead is back where it came from: the slots that it settled ahead are open again.
bool back_from_a_leap(schedule_state const& state, instant now) {
  return state.leap && now >= state.leap->from && state.settled - now > leap_limit;
}

bool too_late(proto::schedule_rules const& rules, instant begins, instant now) {
  if (!rules.starting_deadline_seconds) return false;
  auto deadline = proto::longest::within(proto::longest::late_start, *rules.starting_deadline_seconds);
  return now - begins > std::max<duration>(deadline, least_deadline);
}

void fire(decision& d, fired what, proto::schedule_rules const& rules) {
  if (rules.concurrency_policy == proto::concurrency_policy::Replace) what.replaces = active_runs(d.state);
  d.state.last = last_fire{.slot = what.slot, .scheduled_at = what.scheduled_at};
  d.outcome.fired = std::move(what);
}

/// Decides the newest slot that has begun.
void decide_slot(decision& d, timetable const& table, proto::schedule_rules const& rules, instant newest, instant now) {
  auto const settled = d.state.settled, begins = table.begins(newest), older = table.previous(newest).value_or(settled);
  bool const was_held = std::exchange(d.state.held, {}).has_value();
  settle(d.state, newest, older > settled && !was_held);
  if (too_late(rules, begins, now)) {
    d.outcome.missed = missed_in(table, settled, newest);
    d.outcome.missed->too_late = true;
    return;
  }
  if (older > settled && was_held) d.outcome.passed = passed{.count = table.count(settled, older), .until = older, .while_held = true};
  if (older > settled && !was_held) d.outcome.missed = missed_in(table, settled, older);
  if (rules.concurrency_policy == proto::concurrency_policy::Forbid && is_blocked(d.state))
    d.outcome.skipped = skipped{.slot = newest, .blocked_by_slot = d.state.last->slot, .blocked_by = active_runs(d.state)};
  else
    fire(d, {.slot = newest, .scheduled_at = begins}, rules);
}

/// Records that a hold blocks the due slots. It is reported once, with the first blocked slot. Nothing is settled, so the newest slot fires
/// when the hold ends.
void hold_back(decision& d, instant slot, proto::wait_reason const& why) {
  if (d.state.held) return;
  d.state.held = slot;
  d.outcome.held_back = held_back{slot, why};
}

/// Applies an edited timetable, and undoes a leap once the clock is back.
void catch_up(decision& d, timetable const& table, instant now) {
  if (d.state.settled == instant{}) d.state.created = d.state.settled = now;
  if (back_from_a_leap(d.state, now)) {
    d.state.settled = now;
    d.state.leap.reset();
    d.outcome.rewound = true;
  }
  if (d.state.timetable == table.text()) return;
  bool edited = !d.state.timetable.empty();
  d.state.timetable = table.text();
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

namespace {

/// The newest slot, if it has begun and is undecided. Slots that passed during a suspension are passed over. So is a slot that already
/// fired during an earlier leap to the same time.
std::optional<instant> due_slot(decision& d, timetable const& table, bool resumed, instant now) {
  auto newest = table.newest_begun(now);
  if (!newest || *newest <= d.state.settled) return {};
  bool const fired_already = d.state.last && d.state.last->slot == *newest;
  if (resumed) d.outcome.passed = passed{.count = table.count(d.state.settled, *newest), .until = *newest};
  if (!resumed && !fired_already) return newest;
  settle(d.state, *newest, fired_already);
  return {};
}

void settle_due(decision& d, timetable const& table, proto::schedule_rules const& rules, bool on_create, std::optional<instant> newest,
                instant now) {
  d.state.create_settled = true;
  if (on_create)
    fire(d, {.slot = d.state.created, .scheduled_at = d.state.created, .on_create = true}, rules);
  else if (newest)
    decide_slot(d, table, rules, *newest, now);
  else
    d.state.held.reset();
}

}  // namespace

decision decide(timetable const& table, proto::schedule_rules const& rules, schedule_state state, instant now,
                std::optional<proto::wait_reason> const& holds) {
  decision d{.state = std::move(state)};
  bool const resumed = d.state.suspended && !rules.suspend;
  d.state.suspended = rules.suspend;
  catch_up(d, table, now);
  if (rules.suspend) return d.state.held.reset(), d;

  auto newest = due_slot(d, table, resumed, now);
  bool const on_create = rules.run_on_create && !d.state.create_settled;
  auto const first = on_create ? std::optional(d.state.created) : newest ? table.next(d.state.settled) : std::nullopt;
  if (first && holds) return hold_back(d, *first, *holds), d;
  auto const opens = first ? table.opens(now) : std::nullopt;
  bool const closed = first && opens != now;
  if (!closed) settle_due(d, table, rules, on_create, newest, now);
  d.next_slot = table.next(std::max(d.state.settled, newest.value_or(d.state.settled)));
  if (d.next_slot) d.wait_until = table.begins(*d.next_slot);
  if (closed && opens) d.wait_until = std::min(*opens, d.wait_until.value_or(*opens));
  return d;
}

std::vector<slot_run> keep_waiting(std::vector<slot_run> runs, proto::concurrency_policy policy, std::optional<last_fire> const& before) {
  if (policy != proto::concurrency_policy::Forbid || !before) return runs;
  for (auto& one : runs) {
    auto still = [&](slot_run const& other) { return other.source == one.source && !other.terminal; };
    auto earlier = std::ranges::find_if(before->runs, still);
    if (earlier == before->runs.end()) continue;
    one = *earlier;
    one.slot = slot_of(*before, *earlier);
  }
  return runs;
}

}  // namespace kopiur::scheduler
