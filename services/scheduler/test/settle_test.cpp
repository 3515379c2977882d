#include "services/scheduler/core/settle.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace kopiur::scheduler {
namespace {

using namespace proto;
using namespace std::chrono_literals;

instant const midnight = *instant_from("2026-03-01T00:00:00Z");

// What the kind of these tests says; functions of a kind have no state of their own.
std::optional<std::string> missing;
std::optional<wait_reason> held;
std::set<std::string> taken_runs;

/// A kind with one source, whose run is named by its slot.
controller::timed_kind const plain{
    .unresolved = [](controller::objects const&, timed_object const&) { return missing; },
    .hold = [](controller::objects const&, timed_object const&) { return held; },
    .runs = [](controller::objects const&, timed_object const&,
               instant slot) { return std::vector{slot_run{.source = "/data", .run = to_text(slot)}}; },
    .order = [](controller::objects const&, timed_object const& timed, instant, slot_run const&,
                bool) { return std::optional(run_order{.plan = "plain", .object = timed.object}); },
    .taken = [](timed_object const&, instant, slot_run const& one,
                run_state const&) { return taken_runs.contains(one.run) ? std::optional<std::string>("taken") : std::nullopt; },
    .is_over = [](controller::objects const&, timed_object const&, last_fire const&, slot_run const&, run_state const* fact,
                  instant) { return fact && is_terminal(fact->stage); },
    .is_let_be = [](controller::objects const&, timed_object const&, last_fire const&, slot_run const&, instant) { return false; },
    .last_fire_of = [](controller::objects const&, timed_object const&) { return std::optional<last_fire>(); },
    .object_of = [](controller::objects const&, timed_object const&, instant,
                    slot_run const& one) { return std::optional(object_ref{"Plain", "home", one.run, "u"}); },
    .status = nullptr};

/// One timed object, decided as the scheduler decides it.
struct clockwork {
  clockwork() { missing.reset(), held.reset(), taken_runs.clear(); }

  slots_view look() const {
    auto run = [this](std::string const& id) -> run_state const* { return runs.contains(id) ? &runs.at(id) : nullptr; };
    return {objects, timed, known ? &*known : nullptr, run, now};
  }
  /// Settles, and stores a new fact.
  settlement settle() {
    auto next = scheduler::settle(look());
    if (next.changed) known = next.fact;
    return next;
  }
  /// The object is known, and the slot of 01:00 has fired.
  settlement fire_first() {
    settle();
    now += 1h;
    return settle();
  }
  void advance(std::string const& run, run_stage stage) { runs[run] = {.run = run, .stage = stage}; }

  controller::objects objects;
  timed_object timed{.key = "u",
                     .object = {"Plain", "home", "hourly", "u"},
                     .rules = {.cron = "0 * * * *"},
                     .created = midnight,
                     .does = "work",
                     .part = {},
                     .kind = &plain};
  std::optional<schedule_fact> known;
  std::map<std::string, run_state> runs;
  instant now = midnight;
};

std::string const one_o_clock = to_text(midnight + 1h);

TEST(Settle, WritesAFactOnceAndOrdersItsRunUntilTheBusHasIt) {
  clockwork it;
  auto first = it.fire_first();
  EXPECT_TRUE(first.changed);
  ASSERT_TRUE(first.fact.event.fired);
  EXPECT_EQ(first.wait_until, midnight + 2h);
  ASSERT_EQ(runs_to_order(it.look(), first.fact.state).size(), 1U);
  EXPECT_EQ(runs_to_order(it.look(), first.fact.state)[0].id, one_o_clock);
  it.advance(one_o_clock, run_stage::Due);
  auto again = it.settle();
  EXPECT_FALSE(again.changed);
  EXPECT_TRUE(again.fact.event.fired) << "the last outcome stays in status";
  EXPECT_TRUE(runs_to_order(it.look(), again.fact.state).empty());
}

/// That a run is over follows from its own fact.
TEST(Settle, WritesNoFactBecauseARunEnded) {
  clockwork it;
  it.fire_first();
  it.advance(one_o_clock, run_stage::FollowThroughComplete);
  auto next = it.settle();
  EXPECT_FALSE(next.changed);
  EXPECT_TRUE(next.fact.state.last->runs[0].terminal);
}

TEST(Settle, ReplacesTheRunsThatStillWork) {
  clockwork it;
  it.timed.rules.concurrency_policy = concurrency_policy::Replace;
  it.fire_first();
  it.advance(one_o_clock, run_stage::Created);
  it.now += 1h;
  auto view = it.look();
  auto next = settle(view);
  auto replaced = replaced_runs(view, next);
  ASSERT_EQ(replaced.size(), 1U);
  EXPECT_EQ(replaced[0].command.object.name, one_o_clock);
  EXPECT_EQ(replaced[0].key, one_o_clock + "-replace");
  EXPECT_EQ(replaced[0].command.annotations.at(std::string(annotation::cancel_run)), "replaced by the next slot of Plain hourly");
  it.settle();
  auto again = it.settle();
  EXPECT_TRUE(replaced_runs(it.look(), again).empty()) << "once";
}

TEST(Settle, KeepsTheRunOfASourceThatStillWaits) {
  clockwork it;
  it.fire_first();
  it.advance(one_o_clock, run_stage::Due);
  it.now += 1h;
  EXPECT_TRUE(it.settle().fact.event.skipped) << "its only source waits";
}

TEST(Settle, AFullBusHoldsASlotBackAndTheNewestFiresLater) {
  clockwork it;
  it.fire_first();
  it.now += 1h;
  auto view = it.look();
  view.holds = wait_reason{"BusFull", "the bus is full"};
  auto full = scheduler::settle(view);
  EXPECT_FALSE(full.fact.event.fired);
  ASSERT_TRUE(full.fact.event.held_back);
  EXPECT_EQ(full.fact.event.held_back->why.reason, "BusFull");
  it.known = full.fact;
  it.advance(to_text(midnight + 1h), run_stage::FollowThroughComplete);
  it.now += 2h;
  auto later = it.settle();
  ASSERT_TRUE(later.fact.event.fired);
  EXPECT_EQ(later.fact.event.fired->slot, midnight + 4h);
}

TEST(Settle, DecidesNothingWhileSomethingIsMissingButOrdersWhatFired) {
  clockwork it;
  it.fire_first();
  missing = "There is no recipe.";
  it.now += 1h;
  auto next = it.settle();
  EXPECT_EQ(next.problem, "There is no recipe.");
  EXPECT_FALSE(next.changed);
  EXPECT_EQ(runs_to_order(it.look(), next.fact.state).at(0).id, one_o_clock);
  missing.reset();
  it.advance(one_o_clock, run_stage::FollowThroughComplete);
  EXPECT_EQ(it.settle().fact.state.last->slot, midnight + 2h);
}

TEST(Settle, SaysWhenARunBelongsToAnotherObject) {
  clockwork it;
  auto first = it.fire_first();
  it.advance(one_o_clock, run_stage::Created);
  EXPECT_FALSE(taken_run(it.look(), first.fact.state));
  taken_runs.insert(one_o_clock);
  EXPECT_EQ(taken_run(it.look(), first.fact.state), "taken");
  EXPECT_TRUE(it.settle().fact.state.last->runs[0].terminal) << "it blocks nothing";
}

}  // namespace
}  // namespace kopiur::scheduler
