#include "services/retention/core/judge.hpp"

#include <gtest/gtest.h>

#include "services/retention/core/explain.hpp"

using namespace kopiur;
using namespace kopiur::retention;
using kopiur::duration;

namespace {

instant at(std::string const& text) { return instant_from(text).value(); }
instant const now = at("2026-11-21T18:00:00Z");

row good(std::string id, std::string const& ended) {
  return {.id = std::move(id),
          .ended = at(ended),
          .origin = proto::backup_origin::scheduled,
          .phase = proto::backup_phase::Succeeded,
          .has_snapshot = true};
}
policy by(proto::retention_policy const& policy) { return compile(policy).value(); }

/// `id: reasons` of each row, newest first; `id: -` when it is deleted.
std::vector<std::string> judged(std::vector<row> const& rows, proto::retention_policy const& policy) {
  std::vector<std::string> out;
  for (auto const& line : explain(rows, by(policy), now)) {
    std::string text = line.id + ":";
    for (auto const& reason : line.reasons) text += " " + reason;
    out.push_back(line.keep ? text : line.id + ": -");
  }
  return out;
}
using texts = std::vector<std::string>;

TEST(Judge, KeepsTheNewestOfEachOfTheNewestBucketsThatHoldAny) {
  std::vector<row> rows{good("a", "2026-11-21T06:00:00Z"), good("b", "2026-11-21T05:00:00Z"), good("c", "2026-11-20T06:00:00Z"),
                        good("d", "2026-11-17T06:00:00Z"), good("e", "2026-11-16T06:00:00Z"), good("f", "2026-10-01T06:00:00Z"),
                        good("g", "2025-12-31T06:00:00Z")};
  EXPECT_EQ(judged(rows, {.keep_latest = 2}), (texts{"a: latest-1 newest", "b: latest-2", "c: -", "d: -", "e: -", "f: -", "g: -"}));
  EXPECT_EQ(judged(rows, {.keep_daily = 3}),
            (texts{"a: daily-1 newest", "b: -", "c: daily-2", "d: daily-3", "e: -", "f: -", "g: -"}));  // empty days cost nothing
  EXPECT_EQ(judged(rows, {.keep_hourly = 2, .keep_monthly = 2}),
            (texts{"a: hourly-1 monthly-1 newest", "b: hourly-2", "c: -", "d: -", "e: -", "f: monthly-2", "g: -"}));
  EXPECT_EQ(judged(rows, {.keep_annual = 5}), (texts{"a: annual-1 newest", "b: -", "c: -", "d: -", "e: -", "f: -", "g: annual-2"}));
}

TEST(Judge, CountsWeeksAsIsoDoes) {  // 2026-01-01 is a Thursday of 2026-W01, which began on Monday 2025-12-29
  std::vector<row> rows{good("thu", "2026-01-01T12:00:00Z"), good("mon", "2025-12-29T12:00:00Z"), good("sun", "2025-12-28T12:00:00Z")};
  EXPECT_EQ(judged(rows, {.keep_weekly = 9}), (texts{"thu: weekly-1 newest", "mon: -", "sun: weekly-2"}));
}

TEST(Judge, CutsDaysWhereTheZoneDoes) {
  std::vector<row> rows{good("late", "2026-11-20T23:30:00Z"), good("early", "2026-11-20T22:30:00Z")};
  EXPECT_EQ(judged(rows, {.keep_daily = 9}), (texts{"late: daily-1 newest", "early: -"}));
  EXPECT_EQ(judged(rows, {.keep_daily = 9, .timezone = "Europe/Berlin"}), (texts{"late: daily-1 newest", "early: daily-2"}));
}

TEST(Judge, CountsARepeatedHourAsTwo) {  // Berlin, 2026-10-25: 02:30 occurs twice
  std::vector<row> rows{good("second", "2026-10-25T01:30:00Z"), good("first", "2026-10-25T00:30:00Z")};
  EXPECT_EQ(judged(rows, {.keep_hourly = 9, .timezone = "Europe/Berlin"}), (texts{"second: hourly-1 newest", "first: hourly-2"}));
}

TEST(Judge, CountsADayOnceWhereTheClocksWentBackOverMidnight) {  // St. John's, 2010-11-07 00:01 became 2010-11-06 23:01, at 02:31Z
  std::vector<row> rows{good("day-after", "2010-11-07T12:00:00Z"), good("shown-again", "2010-11-07T02:40:00Z"),
                        good("one-minute", "2010-11-07T02:30:30Z")};
  EXPECT_EQ(judged(rows, {.keep_daily = 9, .timezone = "America/St_Johns"}),
            (texts{"day-after: daily-1 newest", "shown-again: daily-2", "one-minute: -"}));
}

TEST(Judge, NeverPrunesWithoutARuleThatKeeps) {
  std::vector<row> rows{good("a", "2026-11-21T06:00:00Z"), good("b", "2020-11-21T05:00:00Z")};
  texts const all{"a: no-retention", "b: no-retention"};
  for (auto const& policy : std::vector<proto::retention_policy>{{}, {.timezone = "Europe/Berlin"}, {.keep_latest = 0, .keep_daily = -3}}) {
    auto lines = explain(rows, by(policy), now);
    for (auto const& line : lines) EXPECT_TRUE(line.keep);
    EXPECT_EQ(lines[1].reasons, texts{"no-retention"});
  }
}

TEST(Judge, LeavesAloneWhatStandsOutsideAndGivesItNoPlace) {
  auto changed_row = [](std::string id, auto change) {
    auto r = good(std::move(id), "2026-11-21T12:00:00Z");
    change(r);
    return r;
  };
  std::vector<row> rows{
      changed_row("m", [](row& r) { r.origin = proto::backup_origin::manual; }),
      changed_row("d", [](row& r) { r.origin = proto::backup_origin::discovered, r.phase = proto::backup_phase::Discovered; }),
      changed_row("failed", [](row& r) { r.phase = proto::backup_phase::Failed; }),
      changed_row("running", [](row& r) { r.phase = proto::backup_phase::Running; }),
      changed_row("new", [](row& r) { r.phase.reset(); }),
      changed_row("unchanged", [](row& r) { r.has_snapshot = false; }),
      changed_row("p", [](row& r) { r.pinned = true; }),
      changed_row("x", [](row& r) { r.deleting = true; }),
      changed_row("2042", [](row& r) { r.ended = at("2042-01-01T00:00:00Z"); }),
      changed_row("skewed", [](row& r) { r.ended = now + std::chrono::minutes(5) + std::chrono::milliseconds(1); }),
      good("old", "2026-11-20T12:00:00Z"),
      changed_row("imported", [](row& r) { r.origin = proto::backup_origin::imported, r.ended = at("2020-01-01T00:00:00Z"); })};
  EXPECT_EQ(judged(rows, {.keep_latest = 1}),
            (texts{"2042: future", "skewed: future", "d: discovered", "failed: unfinished", "m: manual", "new: unfinished", "p: pinned",
                   "running: unfinished", "unchanged: no-snapshot", "x: deleting", "old: latest-1 newest", "imported: -"}));
}

TEST(Judge, TakesPartWhenAClockIsAheadByLittle) {
  EXPECT_EQ(judged({good("a", "2026-11-21T18:05:00Z"), good("b", "2026-11-21T17:00:00Z")}, {.keep_latest = 1}),
            (texts{"a: latest-1 newest", "b: -"}));
}

TEST(Judge, HoldsWhatARestoreReads) {
  std::vector<row> rows{good("a", "2026-11-21T12:00:00Z"), good("b", "2026-11-20T12:00:00Z"), good("c", "2026-11-19T12:00:00Z")};
  rows[1].in_use = true;
  EXPECT_EQ(judged(rows, {.keep_latest = 1}), (texts{"a: latest-1 newest", "b: in-use", "c: -"}));
}

TEST(Judge, BreaksTiesById) {
  std::vector<row> rows{good("b", "2026-11-21T12:00:00Z"), good("a", "2026-11-21T12:00:00Z")};
  EXPECT_EQ(judged(rows, {.keep_latest = 1}), (texts{"a: latest-1 newest", "b: -"}));
}

TEST(Judge, SaysWhyInASentence) {
  std::vector<row> rows{good("a", "2026-11-21T12:00:00Z"), good("b", "2026-11-21T11:00:00Z"), good("c", "2026-10-19T12:00:00Z")};
  rows[2].in_use = true;
  auto lines = explain(rows, by({.keep_latest = 1, .keep_daily = 1}), now);
  EXPECT_EQ(lines[0].text, "It is kept as latest-1, daily-1, newest.");
  EXPECT_EQ(lines[1].text, "No rule keeps it: newer ones fill keepLatest 1; a newer one of its day is kept (keepDaily 1).");
  EXPECT_EQ(lines[2].text,
            "No rule keeps it: newer ones fill keepLatest 1; newer ones fill keepDaily 1. It stays as long as a restore reads it.");
}

TEST(Rules, RefuseAnUnknownTimeZone) {
  auto r = compile({.keep_latest = 1, .timezone = "Mars/Olympus"});
  ASSERT_FALSE(r);
  EXPECT_TRUE(r.error().starts_with("retention.timezone: the time zone \"Mars/Olympus\" is not known")) << r.error();
}

}  // namespace
