#include "services/scheduler/core/plan.hpp"

#include <gtest/gtest.h>

#include "common/json/codec.hpp"

using namespace kopiur;
using namespace kopiur::scheduler;
using namespace std::chrono_literals;
using proto::concurrency_policy;

namespace kopiur::controller {
static void PrintTo(outcome const& o, std::ostream* out) { *out << json::write(o); }
static void PrintTo(schedule_state const& s, std::ostream* out) { *out << json::write(s); }
}  // namespace kopiur::controller

namespace {

instant at(std::string const& text) { return instant_from(text).value(); }

/// One schedule under a clock that the test controls; states pass through JSON, as in production.
struct desk {
  proto::schedule_rules rules{.cron = "0 6 * * *"};
  schedule_state state = begin("uid-1", at("2026-11-01T12:00:00Z"));
  std::vector<std::string> sources{"/pvc/data"};
  std::optional<proto::wait_reason> holds;

  decision ask(std::string const& now) { return ask(at(now)); }
  decision ask(instant now) {
    auto before = state;
    auto d = decide(timetable::compile(rules, "uid-1").value(), rules, state, now, holds);
    state = json::read<schedule_state>(json::write(d.state)).value();
    EXPECT_EQ(state, d.state);
    EXPECT_EQ(json::read<outcome>(json::write(d.outcome)).value(), d.outcome);
    if (!d.outcome.fired) return d;
    state.last->runs = keep_waiting(new_runs(d.outcome.fired->slot), rules.concurrency_policy, before.last);
    return d;
  }
  std::vector<slot_run> new_runs(instant slot) const {
    std::vector<slot_run> runs;
    for (auto& each : sources) runs.push_back({.source = each, .run = each + " " + to_text(slot)});
    return runs;
  }
  /// The slot that fires, or the other outcomes.
  std::string say(std::string const& now) {
    auto d = ask(now);
    std::string text;
    if (d.outcome.rewound) text += "rewound ";
    if (d.outcome.passed) text += "passed " + std::to_string(d.outcome.passed->count) + " ";
    if (d.outcome.missed) text += "missed " + std::to_string(d.outcome.missed->count) + " ";
    if (d.outcome.held_back) text += "held " + to_text(d.outcome.held_back->slot) + " ";
    if (d.outcome.skipped) text += "skipped " + to_text(d.outcome.skipped->slot) + " ";
    if (d.outcome.fired) text += "fired " + to_text(d.outcome.fired->slot) + " ";
    return text.empty() ? "-" : text.substr(0, text.size() - 1);
  }
  void finish() {
    for (auto& run : state.last->runs) run.terminal = true;
  }
};

TEST(Plan, DoesNotFireOnApply) {
  desk d;
  auto first = d.ask("2026-11-01T12:00:00Z");
  EXPECT_EQ(first.outcome, outcome{});
  EXPECT_EQ(first.next_slot, at("2026-11-02T06:00:00Z"));
  EXPECT_EQ(first.wait_until, at("2026-11-02T06:00:00Z"));
  EXPECT_EQ(d.say("2026-11-02T05:59:59.999Z"), "-");
}

TEST(Plan, FiresASlotOnceAtItsInstant) {
  desk d;
  auto fires = d.ask("2026-11-02T06:00:00Z");
  EXPECT_EQ(fires.outcome, (outcome{.fired = fired{.slot = at("2026-11-02T06:00:00Z"), .scheduled_at = at("2026-11-02T06:00:00Z")}}));
  EXPECT_EQ(fires.wait_until, at("2026-11-03T06:00:00Z"));
  d.finish();
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "-");
  EXPECT_EQ(d.say("2026-11-02T23:00:00Z"), "-");
}

TEST(Plan, FiresTheNewestMissedSlotAndReportsTheOlder) {
  desk d;
  auto late = d.ask("2026-11-05T09:00:00Z");
  EXPECT_EQ(late.outcome.fired->slot, at("2026-11-05T06:00:00Z"));
  ASSERT_TRUE(late.outcome.missed);
  EXPECT_EQ(*late.outcome.missed, (missed{.count = 3,
                                          .oldest = at("2026-11-02T06:00:00Z"),
                                          .newest = at("2026-11-04T06:00:00Z"),
                                          .slots = {at("2026-11-02T06:00:00Z"), at("2026-11-03T06:00:00Z"), at("2026-11-04T06:00:00Z")}}));
  EXPECT_EQ(sentence(*late.outcome.missed), "3 slots from 2026-11-02T06:00:00Z to 2026-11-04T06:00:00Z were missed: there is a newer one.");
}

TEST(Plan, CountsAYearOfMissedMinutesAndListsTen) {
  desk d{.rules = {.cron = "* * * * *"}};
  auto late = d.ask("2027-11-01T12:00:00Z");
  EXPECT_EQ(late.outcome.missed->count, 525'599u);
  EXPECT_EQ(late.outcome.missed->slots.size(), 10u);
  EXPECT_EQ(late.outcome.missed->slots.back(), at("2027-11-01T11:59:00Z"));
  EXPECT_EQ(late.outcome.fired->slot, at("2027-11-01T12:00:00Z"));
}

TEST(Plan, MissesASlotThatIsLaterThanTheDeadline) {
  desk d{.rules = {.cron = "0 6 * * *", .starting_deadline_seconds = 3600}};
  auto late = d.ask("2026-11-03T07:00:00.001Z");
  EXPECT_FALSE(late.outcome.fired);
  EXPECT_EQ(late.outcome.missed->count, 2u);
  EXPECT_TRUE(late.outcome.missed->too_late);
  EXPECT_EQ(sentence(*late.outcome.missed),
            "2 slots from 2026-11-02T06:00:00Z to 2026-11-03T06:00:00Z were missed: later than startingDeadlineSeconds allows.");
  EXPECT_EQ(late.wait_until, at("2026-11-04T06:00:00Z"));
  EXPECT_EQ(d.say("2026-11-04T07:00:00Z"), "fired 2026-11-04T06:00:00Z");
}

TEST(Plan, TakesATinyDeadlineForTenSeconds) {
  desk d{.rules = {.cron = "0 6 * * *", .starting_deadline_seconds = 0}};
  EXPECT_EQ(d.say("2026-11-02T06:00:10Z"), "fired 2026-11-02T06:00:00Z");
  d.finish();
  EXPECT_EQ(d.say("2026-11-03T06:00:10.001Z"), "missed 1");
  d.rules.starting_deadline_seconds = INT64_MAX;
  EXPECT_EQ(d.say("2026-11-05T05:00:00Z"), "fired 2026-11-04T06:00:00Z");
}

TEST(Plan, SkipsLoudlyWhileTheLastSlotRunsUnderForbid) {
  desk d;
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  auto blocked = d.ask("2026-11-03T06:00:00Z");
  ASSERT_TRUE(blocked.outcome.skipped && !blocked.outcome.fired);
  auto run = d.state.last->runs[0].run;
  EXPECT_EQ(sentence(*blocked.outcome.skipped), "The slot 2026-11-03T06:00:00Z was skipped: " + run +
                                                    " of the slot 2026-11-02T06:00:00Z still runs, and concurrencyPolicy is Forbid.");
  EXPECT_EQ(d.say("2026-11-03T12:00:00Z"), "-");
  EXPECT_EQ(d.say("2026-11-05T06:00:01Z"), "missed 1 skipped 2026-11-05T06:00:00Z");
  d.finish();
  EXPECT_EQ(d.say("2026-11-05T07:00:00Z"), "-");  // a skipped slot stays skipped
  EXPECT_EQ(d.say("2026-11-06T06:00:00Z"), "fired 2026-11-06T06:00:00Z");
}

TEST(Plan, FiresBesideUnderAllowAndCancelsUnderReplace) {
  desk d{.rules = {.cron = "0 6 * * *", .concurrency_policy = concurrency_policy::Allow}};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  EXPECT_EQ(d.ask("2026-11-03T06:00:00Z").outcome.fired->replaces, std::vector<std::string>{});
  d.rules.concurrency_policy = concurrency_policy::Replace;
  auto run = d.state.last->runs[0].run;
  EXPECT_EQ(d.ask("2026-11-04T06:00:00Z").outcome.fired->replaces, std::vector<std::string>{run});
  d.finish();
  EXPECT_EQ(d.ask("2026-11-05T06:00:00Z").outcome.fired->replaces, std::vector<std::string>{});
}

TEST(Plan, RunsOnCreateOnce) {
  desk d{.rules = {.cron = "0 6 * * *", .run_on_create = true}};
  auto first = d.ask("2026-11-01T12:00:07Z");
  EXPECT_EQ(*first.outcome.fired,
            (fired{.slot = at("2026-11-01T12:00:00Z"), .scheduled_at = at("2026-11-01T12:00:00Z"), .on_create = true}));
  EXPECT_EQ(first.wait_until, at("2026-11-02T06:00:00Z"));
  EXPECT_EQ(d.say("2026-11-01T12:00:08Z"), "-");
}

TEST(Plan, DoesNotRunOnCreateWhenItIsSwitchedOnLater) {
  desk d;
  EXPECT_EQ(d.say("2026-11-01T12:00:07Z"), "-");
  d.rules.run_on_create = true;
  EXPECT_EQ(d.say("2026-11-01T13:00:00Z"), "-");
}

TEST(Plan, RunsOnCreateWhenResumedIfItWasCreatedSuspended) {
  desk d{.rules = {.cron = "0 6 * * *", .run_on_create = true, .suspend = true}};
  EXPECT_EQ(d.say("2026-11-01T12:00:07Z"), "-");
  d.rules.suspend = false;
  EXPECT_EQ(d.say("2026-11-04T12:00:00Z"), "passed 3 fired 2026-11-01T12:00:00Z");
}

TEST(Plan, GoesOnFromTheObjectsStatusWhenItsStateIsLost) {
  desk d{
      .rules = {.cron = "0 6 * * *", .run_on_create = true},
      .state = begin("uid-1", at("2024-11-01T12:00:00Z"), last_fire{.slot = at("2026-11-01T06:00:00Z"), .scheduled_at = {}, .runs = {}})};
  EXPECT_EQ(d.say("2026-11-01T12:00:00Z"), "-");
  EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "missed 1 fired 2026-11-03T06:00:00Z");
}

TEST(Plan, ForbidSeesWhatStillRunsWhenItsStateIsLost) {
  last_fire last{
      .slot = at("2026-11-01T06:00:00Z"), .scheduled_at = at("2026-11-01T06:00:00Z"), .runs = {{.source = "/a", .run = "run-1"}}};
  desk d{.rules = {.cron = "0 6 * * *"}, .state = begin("uid-1", at("2024-11-01T12:00:00Z"), last)};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "skipped 2026-11-02T06:00:00Z");
}

TEST(Plan, CountsFromTheFirstLookWhereTheCreationIsNotKnown) {
  desk d{.state = begin("uid-1", instant{})};
  EXPECT_EQ(d.say("2026-11-01T12:00:00Z"), "-");
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
}

TEST(Plan, PassesOverWhatWentByWhileSuspended) {
  desk d;
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  d.finish();
  d.rules.suspend = true;
  auto quiet = d.ask("2026-11-02T09:00:00Z");
  EXPECT_FALSE(quiet.wait_until);
  auto before = d.state;
  EXPECT_EQ(d.say("2026-11-04T09:00:00Z"), "-");
  EXPECT_EQ(d.state, before);  // nothing is written while it is suspended
  d.rules.suspend = false;
  auto resumed = d.ask("2026-11-05T09:00:00Z");
  EXPECT_EQ(*resumed.outcome.passed, (passed{.count = 3, .until = at("2026-11-05T06:00:00Z")}));
  EXPECT_EQ(sentence(*resumed.outcome.passed), "3 slots up to 2026-11-05T06:00:00Z passed while the schedule was suspended.");
  EXPECT_FALSE(resumed.outcome.fired);
  EXPECT_EQ(d.say("2026-11-06T06:00:00Z"), "fired 2026-11-06T06:00:00Z");
}

TEST(Plan, FiresNothingOfThePastWhenCronOrZoneIsEdited) {
  desk d;
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  d.finish();
  d.rules.cron = "0 9 * * *";
  EXPECT_EQ(d.say("2026-11-02T10:00:00Z"), "-");
  d.rules.timezone = "America/New_York";
  EXPECT_EQ(d.say("2026-11-02T15:00:00Z"), "-");
  EXPECT_EQ(d.say("2026-11-03T14:00:00Z"), "fired 2026-11-03T14:00:00Z");
}

TEST(Plan, BeginsASlotAtItsJitter) {
  desk d{.rules = {.cron = "0 6 * * *", .jitter = 1h}};
  auto begins = at("2026-11-02T06:00:00Z") + cron::jitter("uid-1", at("2026-11-02T06:00:00Z"), 1h);
  ASSERT_GT(begins, at("2026-11-02T06:00:00Z"));
  auto waits = d.ask("2026-11-02T06:00:00Z");
  EXPECT_EQ(waits.outcome, outcome{});
  EXPECT_EQ(waits.next_slot, at("2026-11-02T06:00:00Z"));
  EXPECT_EQ(waits.wait_until, begins);
  EXPECT_EQ(d.ask(begins - 1ms).outcome, outcome{});
  EXPECT_EQ(*d.ask(begins).outcome.fired, (fired{.slot = at("2026-11-02T06:00:00Z"), .scheduled_at = begins}));
}

TEST(Plan, KeepsTheOrderOfSlotsWhereTheClocksBringThemCloserThanTheJitter) {
  // Berlin, 2026-03-29: 02:59 is moved to 03:00, one minute before 03:01.
  proto::schedule_rules rules{.cron = "1,59 * * * *", .jitter = 100s, .timezone = "Europe/Berlin"};
  for (int uid = 0; uid < 50; ++uid) {
    auto t = timetable::compile(rules, std::to_string(uid)).value();
    EXPECT_LT(t.begins(at("2026-03-29T01:00:00Z")), at("2026-03-29T01:01:00Z"));
  }
}

TEST(Plan, MakesNoSlotTwiceWhenTheClockGoesBack) {
  desk d;
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  d.finish();
  for (auto now : {"2026-11-02T05:59:00Z", "2026-11-02T06:00:00Z", "2026-10-01T00:00:00Z", "1970-01-01T00:00:00Z", "2026-11-02T06:00:01Z"})
    EXPECT_EQ(d.say(now), "-") << now;
  EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "fired 2026-11-03T06:00:00Z");
}

TEST(Plan, GoesOnWhenAClockThatHadLeaptYearsAheadIsBack) {
  desk d;
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  d.finish();
  EXPECT_EQ(d.say("2042-01-01T12:00:00Z"), "missed 5538 fired 2042-01-01T06:00:00Z");
  d.finish();
  EXPECT_EQ(d.say("2042-01-02T12:00:00Z"), "fired 2042-01-02T06:00:00Z");
  d.finish();
  EXPECT_EQ(d.say("1970-01-01T00:00:00Z"), "-");  // far from the start of the leap: proves nothing about 2042
  EXPECT_EQ(d.say("2026-11-02T12:00:00Z"), "rewound");
  EXPECT_EQ(d.say("2042-01-02T12:00:01Z"), "-");  // ahead again, where that slot has fired
  EXPECT_EQ(d.say("2026-11-02T13:00:00Z"), "rewound");
  EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "fired 2026-11-03T06:00:00Z");
}

TEST(Plan, BelievesALeapAfterAWeekOfIt) {
  desk d;
  EXPECT_EQ(d.say("2026-12-20T12:00:00Z"), "missed 48 fired 2026-12-20T06:00:00Z");  // a long downtime
  for (int day = 21; day <= 28; ++day) {
    EXPECT_TRUE(d.state.leap) << day;
    d.finish();
    auto slot = "2026-12-" + std::to_string(day) + "T06:00:00Z";
    EXPECT_EQ(d.say(slot), "fired " + slot);
  }
  EXPECT_FALSE(d.state.leap);
  d.finish();
  EXPECT_EQ(d.say("2026-12-10T06:00:00Z"), "-");
}

TEST(Timetable, RefusesWithASentenceThatNamesTheField) {
  auto refusal = [](proto::schedule_rules const& rules) { return timetable::compile(rules, "uid").error(); };
  EXPECT_TRUE(refusal({.cron = "0 6 * *"}).starts_with("schedule.cron: cron \"0 6 * *\" is refused: there are 4 fields"));
  EXPECT_TRUE(refusal({.cron = "@daily", .timezone = "Nowhere"}).starts_with("schedule.timezone: the time zone \"Nowhere\" is not known"));
  EXPECT_TRUE(refusal({.cron = "@daily", .jitter = 24h}).starts_with("schedule.jitter: jitter 24h is not below the shortest gap"));
}

/// A hold must not leave an old Backup waiting (Forbid), pile up one per slot (Allow), or cause failures (Replace): conformance.md S2.
TEST(Plan, AHoldMakesNoBackupsUnderAnyPolicyAndIsMadeUpForOnce) {
  for (auto policy : {concurrency_policy::Forbid, concurrency_policy::Allow, concurrency_policy::Replace}) {
    desk d{.rules = {.cron = "0 6 * * *", .concurrency_policy = policy}};
    EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
    d.finish();
    d.holds = proto::wait_reason{"RepositorySuspended", "Repository nas is suspended; set spec.suspend to false."};
    EXPECT_EQ(d.say("2026-11-02T20:00:00Z"), "-") << "no slot is due: there is nothing to tell";
    EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "held 2026-11-03T06:00:00Z");
    EXPECT_EQ(d.say("2026-11-03T07:00:00Z"), "-");
    EXPECT_EQ(d.say("2026-11-05T06:00:00Z"), "-") << "the first stands for all";
    auto still = d.ask("2026-11-05T06:00:01Z");
    EXPECT_FALSE(still.wait_until || still.next_slot) << "nothing comes before the hold ends";
    d.holds.reset();
    EXPECT_EQ(d.say("2026-11-05T09:00:00Z"), "passed 2 fired 2026-11-05T06:00:00Z");
    d.finish();
    EXPECT_EQ(d.say("2026-11-06T06:00:00Z"), "fired 2026-11-06T06:00:00Z");
  }
}

TEST(Plan, AHoldOfWeeksIsNoLeapOfTheClock) {
  desk d;
  d.holds = proto::wait_reason{"ConfigSuspended", "Suspended."};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "held 2026-11-02T06:00:00Z");
  d.holds.reset();
  EXPECT_EQ(d.say("2026-11-25T05:00:00Z"), "passed 22 fired 2026-11-24T06:00:00Z");
  EXPECT_FALSE(d.state.leap);
  EXPECT_EQ(d.say("2026-11-03T05:00:00Z"), "-");
}

TEST(Plan, WhatAHoldMadeTooLateIsMissed) {
  desk d{.rules = {.cron = "0 6 * * *", .starting_deadline_seconds = 3600}};
  d.holds = proto::wait_reason{"ConfigSuspended", "Suspended."};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "held 2026-11-02T06:00:00Z");
  d.holds.reset();
  EXPECT_EQ(d.say("2026-11-02T09:00:00Z"), "missed 1");
  EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "fired 2026-11-03T06:00:00Z");
}

TEST(Plan, RunOnCreateWaitsForAHoldToEnd) {
  desk d{.rules = {.cron = "0 6 * * *", .run_on_create = true}};
  d.holds = proto::wait_reason{"RepositoryNotReady", "Waiting until Repository nas is Ready."};
  EXPECT_EQ(d.say("2026-11-01T12:00:00Z"), "held 2026-11-01T12:00:00Z");
  d.holds.reset();
  EXPECT_EQ(d.say("2026-11-01T12:01:00Z"), "fired 2026-11-01T12:00:00Z");
  EXPECT_EQ(d.say("2026-11-01T12:02:00Z"), "-");
}

TEST(Plan, SuspendingAScheduleEndsItsHold) {
  desk d;
  d.holds = proto::wait_reason{"ConfigSuspended", "Suspended."};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "held 2026-11-02T06:00:00Z");
  d.rules.suspend = true;
  EXPECT_EQ(d.say("2026-11-02T07:00:00Z"), "-");
  d.rules.suspend = false, d.holds.reset();
  EXPECT_EQ(d.say("2026-11-02T08:00:00Z"), "passed 1") << "what went by while it was suspended is not made up for";
}

/// One missing claim must not block the healthy sources of its recipe: conformance.md S1.
TEST(Plan, ASourceThatWaitsForWhatIsMissingHoldsUpNoOther) {
  desk d{.sources = {"/pvc/data", "/pvc/missing"}};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  auto first = d.state.last->runs;
  d.state.last->runs[0].terminal = true, d.state.last->runs[1].waits = true;
  EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "fired 2026-11-03T06:00:00Z");
  ASSERT_EQ(d.state.last->runs.size(), 2u);
  EXPECT_NE(d.state.last->runs[0].run, first[0].run);
  EXPECT_EQ(d.state.last->runs[1].run, first[1].run) << "it goes on waiting: there is one of it";
  EXPECT_EQ(slot_of(*d.state.last, d.state.last->runs[1]), at("2026-11-02T06:00:00Z"));
  d.finish();
  EXPECT_EQ(d.say("2026-11-04T06:00:00Z"), "fired 2026-11-04T06:00:00Z");
  EXPECT_FALSE(d.state.last->runs[1].slot) << "both are of the slot";
}

TEST(Plan, ASlotOfWhichAllSourcesWaitIsSkipped) {
  desk d{.sources = {"/pvc/missing", "/pvc/gone"}};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  for (auto& each : d.state.last->runs) each.waits = true;
  EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "skipped 2026-11-03T06:00:00Z");
}

TEST(Plan, ASourceThatIsBeingSavedHoldsUpTheSlot) {
  desk d{.sources = {"/pvc/data", "/pvc/long"}};
  EXPECT_EQ(d.say("2026-11-02T06:00:00Z"), "fired 2026-11-02T06:00:00Z");
  d.state.last->runs[0].terminal = true;
  EXPECT_EQ(d.say("2026-11-03T06:00:00Z"), "skipped 2026-11-03T06:00:00Z");
}

proto::schedule_windows nights() { return {.allowed = {{.days = {}, .from = "22:00", .to = "06:00"}}, .blackout = {}}; }

TEST(Windows, WhatWouldBeginOutsideIsNoSlot) {
  desk d{.rules = {.cron = "0 */4 * * *", .windows = nights()}};
  EXPECT_EQ(d.say("2026-11-01T23:00:00Z"), "-") << "20:00 is none";
  EXPECT_EQ(d.say("2026-11-02T00:00:00Z"), "fired 2026-11-02T00:00:00Z");
  d.finish();
  auto morning = d.ask("2026-11-02T04:00:00Z");
  EXPECT_EQ(morning.next_slot, at("2026-11-03T00:00:00Z"));
  d.finish();
  EXPECT_EQ(d.say("2026-11-02T12:00:00Z"), "-");
  EXPECT_EQ(d.say("2026-11-03T00:00:00Z"), "fired 2026-11-03T00:00:00Z") << "nothing was missed";
}

/// The host was down from the night to noon: the late slot too waits for the evening.
TEST(Windows, WhatIsLateWaitsUntilTheyOpen) {
  desk d{.rules = {.cron = "0 3 * * *", .windows = nights()}};
  auto late = d.ask("2026-11-02T12:00:00Z");
  EXPECT_EQ(late.outcome, outcome{});
  EXPECT_EQ(late.wait_until, at("2026-11-02T22:00:00Z"));
  EXPECT_EQ(d.say("2026-11-02T22:00:00Z"), "fired 2026-11-02T03:00:00Z");
}

TEST(Windows, ABlackoutGoesBeforeWhatIsAllowed) {
  auto rules = proto::schedule_rules{.cron = "0 * * * *", .timezone = "Europe/Berlin", .windows = nights()};
  rules.windows->blackout = {{.days = {proto::weekday::Sun}, .from = "00:00", .to = "24:00"}};
  auto table = timetable::compile(rules, "uid").value();
  EXPECT_EQ(table.next(at("2026-11-07T21:30:00Z")), at("2026-11-07T22:00:00Z")) << "Saturday, 23:00 in Berlin";
  EXPECT_EQ(table.next(at("2026-11-07T22:00:00Z")), at("2026-11-08T23:00:00Z")) << "Monday begins in Berlin";
  EXPECT_EQ(table.previous(at("2026-11-08T23:00:00Z")), at("2026-11-07T22:00:00Z"));
  EXPECT_EQ(table.count(at("2026-11-07T20:30:00Z"), at("2026-11-08T23:00:00Z")), 3u);
}

TEST(Windows, OneThatGoesOverMidnightBelongsToTheDayOnWhichItBegins) {
  auto rules = proto::schedule_rules{.cron = "0 * * * *"};
  rules.windows = proto::schedule_windows{.allowed = {{.days = {proto::weekday::Sun}, .from = "23:00", .to = "01:00"}}, .blackout = {}};
  auto table = timetable::compile(rules, "uid").value();
  EXPECT_EQ(table.next(at("2026-11-06T00:00:00Z")), at("2026-11-08T23:00:00Z"));
  EXPECT_EQ(table.next(at("2026-11-08T23:00:00Z")), at("2026-11-09T00:00:00Z"));
  EXPECT_EQ(table.next(at("2026-11-09T00:00:00Z")), at("2026-11-15T23:00:00Z"));
}

TEST(Windows, JitterDoesNotCarryASlotOut) {
  auto rules = proto::schedule_rules{.cron = "59 * * * *", .jitter = 30min};
  rules.windows = proto::schedule_windows{.allowed = {{.days = {}, .from = "10:00", .to = "11:00"}}, .blackout = {}};
  auto table = timetable::compile(rules, "uid");
  if (!table) return;  // its jitter may move every slot outside the windows
  auto slot = table->next(at("2026-11-06T00:00:00Z"));
  auto minute = std::chrono::floor<std::chrono::minutes>(table->begins(*slot) - std::chrono::floor<std::chrono::days>(*slot));
  EXPECT_GE(minute, 600min);
  EXPECT_LT(minute, 660min);
}

TEST(Windows, AreRefusedWhereNothingWouldEverRun) {
  auto problem = [](std::string cron, proto::time_window one) {
    auto made = timetable::compile(
        {.cron = std::move(cron), .windows = proto::schedule_windows{.allowed = {std::move(one)}, .blackout = {}}}, "uid");
    return made ? std::string() : made.error();
  };
  EXPECT_EQ(problem("0 3 * * *", {.days = {}, .from = "22:00", .to = "02:00"}),
            "schedule.windows: no slot of \"0 3 * * *\" begins in them, so nothing would ever run.");
  EXPECT_EQ(problem("0 3 * * *", {.days = {}, .from = "25:00", .to = "02:00"}),
            "schedule.windows.allowed[0]: 25:00 is not a time of day; write hours and minutes, as in 22:00.");
  EXPECT_EQ(problem("0 3 * * 1", {.days = {proto::weekday::Mon}, .from = "02:00", .to = "04:00"}), "");
}

/// Slots in closed time are not caught up when an edit opens the windows.
TEST(Windows, AnEditFiresNothingOfThePast) {
  desk d{.rules = {.cron = "0 * * * *", .windows = nights()}};
  EXPECT_EQ(d.say("2026-11-02T05:00:00Z"), "missed 7 fired 2026-11-02T05:00:00Z");
  d.finish();
  EXPECT_EQ(d.say("2026-11-02T12:30:00Z"), "-");
  d.rules.windows.reset();
  EXPECT_EQ(d.say("2026-11-02T12:31:00Z"), "-");
  EXPECT_EQ(d.say("2026-11-02T13:00:00Z"), "fired 2026-11-02T13:00:00Z");
}

}  // namespace
