#include "services/cli/core/checks.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

TEST(Checks, OfTheBusNamesTheStreamsThatAreMissing) {
  auto whole = streams_check(9, {});
  EXPECT_EQ(whole.mood, mood::good);
  EXPECT_EQ(whole.text, "all 9 streams are there");
  auto lacking = streams_check(9, {"runs", "lists"});
  EXPECT_EQ(lacking.mood, mood::bad);
  EXPECT_EQ(lacking.text, "Streams are missing: runs, lists. Make them with: kopiur bus apply");
}

TEST(Checks, OfTheBytesNamesTheFullestStream) {
  auto little = budget_check({{"runs", 3}, {"states", 69}});
  EXPECT_EQ(little.mood, mood::good);
  EXPECT_EQ(little.text, "states, its fullest stream, has used 69 % of its bytes");
  EXPECT_EQ(budget_check({{"runs", 70}, {"states", 2}}).mood, mood::attention);
  EXPECT_EQ(budget_check({{"runs", 89}}).mood, mood::attention);
  auto full = budget_check({{"runs", 90}});
  EXPECT_EQ(full.mood, mood::bad);
  EXPECT_NE(full.text.find("--bus-store"), std::string::npos) << full.text;
  EXPECT_EQ(budget_check({}).mood, mood::attention);
}

TEST(Checks, ADeadLetterIsANoteAndNoFailure) {
  EXPECT_EQ(dead_letters_check(0).mood, mood::good);
  auto some = dead_letters_check(3);
  EXPECT_EQ(some.mood, mood::attention);
  EXPECT_TRUE(some.text.starts_with("3: ")) << some.text;
  EXPECT_FALSE(any_bad({some}));
}

TEST(Checks, OfTheObjectsAreOnlyTheBadFindings) {
  auto found = bad_checks({{mood::bad, "schedule", "default/nightly", "Overdue."},
                           {mood::attention, "backup", "default/b", "note"},
                           {mood::good, "repository", "default/nas", "Ready."}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].what + " | " + found[0].text, "schedule | default/nightly: Overdue.");
  EXPECT_EQ(found[0].mood, mood::bad);
}

TEST(Checks, FailWhereOneIsBad) {
  EXPECT_FALSE(any_bad({}));
  EXPECT_FALSE(any_bad({{"bus", mood::good, ""}, {"disk", mood::waiting, ""}}));
  EXPECT_TRUE(any_bad({{"bus", mood::good, ""}, {"kopia", mood::bad, ""}, {"disk", mood::good, ""}}));
}

TEST(Checks, AreShownInTheirOrderWithTheirMood) {
  std::vector<check> const checks{{"bus", mood::good, "all"}, {"kopia", mood::bad, "missing"}};
  EXPECT_EQ(render(checks_table(checks), false),
            "     CHECK  FINDING\n"
            "ok   bus    all\n"
            "BAD  kopia  missing\n");
  EXPECT_EQ(json::dump(checks_json(checks)),
            R"([{"check":"bus","mood":"ok","text":"all"},{"check":"kopia","mood":"BAD","text":"missing"}])");
}

TEST(Checks, ADiskIsBadWhereTheBusSoonStops) {
  constexpr std::int64_t mib = 1 << 20;
  struct {
    std::int64_t free;
    mood expected;
  } const cases[] = {
      {1024 * mib, mood::good}, {1024 * mib - 1, mood::attention}, {64 * mib, mood::attention}, {64 * mib - 1, mood::bad}, {0, mood::bad}};
  for (auto& each : cases) EXPECT_EQ(disk_finding("/data", each.free).mood, each.expected) << each.free;
  auto nearly_full = disk_finding("/data", 2 * mib);
  EXPECT_EQ(nearly_full.area + " " + nearly_full.subject, "disk /data");
  EXPECT_TRUE(nearly_full.text.starts_with("2.0 MiB free. Make room: ")) << nearly_full.text;
  EXPECT_EQ(disk_finding("/data", 2048 * mib).text, "2.0 GiB free.");
}

}  // namespace
}  // namespace kopiur::cli
