#include "services/scheduler/core/settle.hpp"

#include <algorithm>

#include "proto/kopiur/names.hpp"

namespace kopiur::scheduler {

using namespace proto;

namespace {

std::optional<std::string> taken_from(slots_view const& view, last_fire const& last, slot_run const& one) {
  auto* fact = view.run(one.run);
  return fact ? view.timed.kind->taken(view.timed, slot_of(last, one), one, *fact) : std::nullopt;
}

/// The state, with the progress of the last slot's runs.
schedule_state with_progress(slots_view const& view, schedule_state state) {
  if (!state.last) return state;
  auto last = *state.last;
  for (auto& one : state.last->runs) {
    auto* fact = view.run(one.run);
    one.terminal = taken_from(view, last, one) || view.timed.kind->is_over(view.objects, view.timed, last, one, fact, view.now);
    one.waits = !one.terminal && fact && fact->stage == run_stage::Due;
  }
  return state;
}

bool is_new(schedule_state state, schedule_state const& stored) {
  if (state.last && stored.last && state.last->slot == stored.last->slot) state.last = stored.last;
  return !(state == stored);
}

schedule_fact known_fact(slots_view const& view) {
  if (view.known) return *view.known;
  auto& timed = view.timed;
  return {.event = {}, .state = begin(timed.key, timed.created, timed.kind->last_fire_of(view.objects, timed))};
}

}  // namespace

settlement settle(slots_view const& view) {
  auto& timed = view.timed;
  auto table = timetable::compile(timed.rules, timed.key);
  settlement next{.fact = known_fact(view), .problem = table ? timed.kind->unresolved(view.objects, timed) : std::optional(table.error())};
  if (next.problem) return next;
  next.before = with_progress(view, next.fact.state);
  auto decided = decide(*table, timed.rules, next.before, view.now, view.holds ? view.holds : timed.kind->hold(view.objects, timed));
  next.next_slot = decided.next_slot, next.wait_until = decided.wait_until;
  if (auto& fired = decided.outcome.fired)
    decided.state.last->runs =
        keep_waiting(timed.kind->runs(view.objects, timed, fired->slot), timed.rules.concurrency_policy, next.before.last);
  next.changed = is_new(decided.state, next.fact.state);
  next.fact.state = std::move(decided.state);
  if (decided.outcome != outcome{}) next.fact.event = std::move(decided.outcome);
  return next;
}

std::vector<controller::new_run> runs_to_order(slots_view const& view, schedule_state const& state) {
  std::vector<controller::new_run> found;
  if (!state.last) return found;
  auto& last = *state.last;
  auto& kind = *view.timed.kind;
  for (auto& each : last.runs) {
    if (view.run(each.run) || kind.is_let_be(view.objects, view.timed, last, each, view.now)) continue;
    auto order = kind.order(view.objects, view.timed, slot_of(last, each), each, last.runs.size() > 1);
    if (!order) break;
    found.push_back({each.run, std::move(*order)});
  }
  return found;
}

std::vector<cancel_run> replaced_runs(slots_view const& view, settlement const& next) {
  std::vector<cancel_run> found;
  auto& fired = next.fact.event.fired;
  if (!next.changed || !fired || !next.before.last) return found;
  auto& last = *next.before.last;
  for (auto& each : last.runs) {
    if (std::ranges::find(fired->replaces, each.run) == fired->replaces.end()) continue;
    auto object = view.timed.kind->object_of(view.objects, view.timed, slot_of(last, each), each);
    if (!object) continue;
    patch_metadata patch{.object = *std::move(object)};
    patch.annotations[std::string(annotation::cancel_run)] =
        "replaced by the next slot of " + view.timed.object.kind + " " + view.timed.object.name;
    found.push_back({std::move(patch), each.run + "-replace"});
  }
  return found;
}

std::optional<std::string> taken_run(slots_view const& view, schedule_state const& state) {
  if (!state.last) return {};
  for (auto& each : state.last->runs)
    if (auto why = taken_from(view, *state.last, each)) return why;
  return {};
}

}  // namespace kopiur::scheduler
