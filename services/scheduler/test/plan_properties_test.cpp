#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "common/json/codec.hpp"
#include "services/scheduler/core/plan.hpp"

/// Random rules under a random clock: downtimes, restarts (the state passes through JSON), steps of hours in both directions, long runs.
/// Invariant: every slot is settled exactly once, and the newest slot that has begun is the one that fires.

using namespace kopiur;
using namespace kopiur::scheduler;
using namespace std::chrono;

namespace kopiur::controller {
static void PrintTo(outcome const& o, std::ostream* out) { *out << json::write(o); }
static void PrintTo(schedule_state const& s, std::ostream* out) { *out << json::write(s); }
}  // namespace kopiur::controller

namespace {

enum class fate { fired, missed, skipped };

struct trial {
  std::mt19937_64 random;
  proto::schedule_rules rules;
  timetable table;
  instant now, created;
  schedule_state state;
  std::map<instant, fate> fates;  ///< every slot that was settled, and how
  std::size_t fired = 0, missed = 0, skipped = 0, steps_back = 0;

  std::uint64_t below(std::uint64_t n) { return random() % n; }

  static proto::schedule_rules draw(std::mt19937_64& random) {
    static constexpr std::array crons{"*/10 * * * *", "0 * * * *",      "7,9 * * * *",    "30 */3 * * *",
                                      "30 2 * * *",   "H H(1-5) * * *", "0,30 1-3 * * *", "0 4 * * 1,4"};
    static constexpr std::array zones{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo"};
    proto::schedule_rules rules{.cron = crons[random() % crons.size()], .timezone = zones[random() % zones.size()]};
    if (random() % 2) rules.jitter = seconds(random() % 119);
    if (random() % 3 == 0) rules.starting_deadline_seconds = static_cast<std::int64_t>(random() % 7200);
    rules.concurrency_policy = static_cast<proto::concurrency_policy>(random() % 3);
    return rules;
  }

  explicit trial(std::uint64_t seed)
      : random(seed),
        rules(draw(random)),
        table(timetable::compile(rules, "uid").value()),
        // Around the clock changes of March and October 2026, at a random second.
        created(instant_from(random() % 2 ? "2026-03-24T00:00:00Z" : "2026-10-20T00:00:00Z").value() + seconds(random() % 864000)) {
    now = created;
    state = begin("uid", created);
  }

  void record(instant slot, fate f) {
    EXPECT_TRUE(fates.emplace(slot, f).second) << to_text(slot) << " is settled twice";
    (f == fate::fired ? fired : f == fate::missed ? missed : skipped) += 1;
  }

  void record(outcome const& what) {
    if (what.missed) {
      std::uint64_t n = 0;
      for (auto s = what.missed->oldest; s <= what.missed->newest; s = table.next(s).value(), ++n) record(s, fate::missed);
      EXPECT_EQ(n, what.missed->count);
      EXPECT_EQ(what.missed->slots.size(), std::min<std::uint64_t>(n, listed_misses));
    }
    if (what.skipped) record(what.skipped->slot, fate::skipped);
    if (!what.fired) return;
    record(what.fired->slot, fate::fired);
    EXPECT_EQ(what.fired->scheduled_at, table.begins(what.fired->slot));
    EXPECT_LE(what.fired->scheduled_at, now);
    auto following = table.next(what.fired->slot).value();
    EXPECT_GT(table.begins(following), now) << "a newer slot has begun";
  }

  void decide_once() {
    auto const before = state;
    auto d = decide(table, rules, state, now);
    state = json::read<schedule_state>(json::write(d.state)).value();
    record(d.outcome);
    ASSERT_TRUE(d.wait_until && *d.wait_until > now) << "asks to be asked again at once";
    if (d.outcome.fired) {
      auto slot = to_text(d.outcome.fired->slot);
      std::vector<slot_run> runs{{.source = "/a", .run = "a " + slot}, {.source = "/b", .run = "b " + slot}};
      state.last->runs = keep_waiting(std::move(runs), rules.concurrency_policy, before.last);
    }
    auto again = decide(table, rules, state, now);
    EXPECT_EQ(again.outcome, outcome{}) << "the same instant decides twice";
    EXPECT_EQ(again.state, state);
    if (below(3) == 0) now = *d.wait_until;  // on time for the next slot
  }

  void let_time_pass() {
    switch (below(6)) {
      case 0:
        now += hours(below(72));
        break;  // downtime, or a clock that jumps ahead
      case 1:
        now -= minutes(below(600)), ++steps_back;
        break;
      case 2:
        now += milliseconds(below(1000));
        break;
      default:
        now += seconds(below(7200));
        break;
    }
    if (state.last)
      for (auto& run : state.last->runs)
        if (below(3)) run.terminal = true;
  }

  void check_all_settled() const {
    std::map<instant, int> expected;
    for (auto s = table.next(created).value(); s <= state.settled; s = table.next(s).value()) expected[s] = 1;
    std::map<instant, int> settled;
    for (auto const& [slot, f] : fates) ++settled[slot];
    EXPECT_EQ(settled, expected);
  }
};

TEST(Plan, SettlesEverySlotExactlyOnceWhateverTheClockDoes) {
  std::size_t fired = 0, missed = 0, skipped = 0, back = 0;
  for (std::uint64_t seed = 0; seed < 250; ++seed) {
    trial t(seed);
    for (int i = 0; i < 60 && !testing::Test::HasFailure(); ++i) {
      t.decide_once();
      t.let_time_pass();
    }
    t.check_all_settled();
    ASSERT_FALSE(HasFailure()) << "seed " << seed << ' ' << t.rules.cron << ' ' << t.rules.timezone;
    fired += t.fired, missed += t.missed, skipped += t.skipped, back += t.steps_back;
  }
  EXPECT_GT(fired, 1000u);
  EXPECT_GT(missed, 1000u);
  EXPECT_GT(skipped, 300u);
  EXPECT_GT(back, 1000u);
}

}  // namespace
