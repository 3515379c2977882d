#include <gtest/gtest.h>

#include "services/cli/core/completion.hpp"
#include "services/cli/core/ending.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/core/kinds.hpp"
#include "services/cli/core/table.hpp"

namespace kopiur::cli {
namespace {

using namespace std::chrono_literals;

TEST(Words, SaysLengthsInOneUnit) {
  struct {
    duration length;
    char const* text;
  } const cases[] = {{0s, "0 s"}, {900ms, "0 s"}, {119s, "119 s"}, {120s, "2 min"},       {119min, "119 min"},
                     {2h, "2 h"}, {47h, "47 h"},  {48h, "2 d"},    {24h * 15, "2 weeks"}, {24h * 800, "2 years"}};
  for (auto& each : cases) EXPECT_EQ(length_text(each.length), each.text);
}

TEST(Words, SaysWhenOnBothSidesOfNow) {
  auto now = *instant_from("2026-11-21T06:00:00Z");
  EXPECT_EQ(when_text(now - 3min, now), "3 min ago");
  EXPECT_EQ(when_text(now + 3min, now), "in 3 min");
  EXPECT_EQ(when_text(now + 500ms, now), "now");
}

TEST(Words, SaysSizesInBinaryUnits) {
  struct {
    std::int64_t bytes;
    char const* text;
  } const cases[] = {{0, "0 B"},           {1023, "1023 B"},          {1024, "1.0 KiB"},          {1536, "1.5 KiB"},
                     {10 << 10, "10 KiB"}, {1023 * 1024, "1023 KiB"}, {(1 << 20) - 1, "1.0 MiB"}, {INT64_MAX, "8.0 EiB"}};
  for (auto& each : cases) EXPECT_EQ(size_text(each.bytes), each.text);
}

TEST(Words, DrawsBarsThatNeverOverflow) {
  EXPECT_EQ(bar_text(0, 4), "[----]");
  EXPECT_EQ(bar_text(50, 4), "[##--]");
  EXPECT_EQ(bar_text(250, 4), "[####]");
  EXPECT_EQ(bar_text(-1, 4), "[----]");
}

TEST(Words, AProgressBeyondItsEndIsAtItsEnd) {
  EXPECT_TRUE(progress_text({.percent = 1e300, .phase = "hashing"}).starts_with("hashing  100% ["));
  EXPECT_TRUE(progress_text({.percent = -5, .phase = "hashing"}).starts_with("hashing  0% ["));
}

TEST(Table, AlignsColumnsByCharactersAndEndsLinesWithoutSpaces) {
  table what{.columns = {"NAME", "X"}, .rows = {{"ä", "1"}, {"long-name", ""}}};
  EXPECT_EQ(render(what, false), "NAME       X\nä          1\nlong-name\n");
}

TEST(Table, WritesNoControlCharactersOfCells) {
  table what{.columns = {"N"}, .rows = {{"a\033[2Jb\n"}}};
  EXPECT_EQ(render(what, false), "N\na?[2Jb?\n");
}

TEST(Table, PaintsOnlyWhenAskedTo) {
  EXPECT_EQ(painted("x", tone::bad, false), "x");
  EXPECT_EQ(painted("x", tone::bad, true), "\033[1;31mx\033[0m");
  EXPECT_EQ(painted("x", tone::plain, true), "x");
}

TEST(Kinds, AreFoundByEveryNameInAnyCase) {
  for (auto* name : {"Repository", "repositories", "KOPIAREPO", "repository"}) {
    auto found = find_kind(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->kind, "Repository");
  }
  EXPECT_EQ(find_kind("schedules")->kind, "BackupSchedule");
  EXPECT_EQ(find_kind("backups")->kind, "Backup");
  EXPECT_EQ(find_kind("pvcs")->kind, "PersistentVolumeClaim");
  EXPECT_FALSE(find_kind("s"));
  auto none = find_kind("pod");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("backups"), std::string::npos);
}

TEST(Completion, OffersVerbsOptionsAndKinds) {
  std::vector<verb_shape> verbs{{"get", {"--all-namespaces"}, {"backups"}}, {"backup now", {"--wait"}, {}}};
  auto script = completion_script("bash", verbs);
  ASSERT_TRUE(script);
  EXPECT_NE(script->find("words=\"backup get\""), std::string::npos);
  EXPECT_NE(script->find("backup) words=\"--wait now\""), std::string::npos);
  EXPECT_NE(script->find("get) words=\"--all-namespaces backups\""), std::string::npos);
  EXPECT_FALSE(completion_script("cmd", verbs));
}

}  // namespace
}  // namespace kopiur::cli
