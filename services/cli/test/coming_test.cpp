#include "services/cli/core/coming.hpp"

#include <gtest/gtest.h>

#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;
using namespace std::chrono_literals;

instant const midnight = at("2026-11-21T00:00:00Z");  // a Saturday

maintenance keeper() {
  maintenance one;
  one.metadata.name = "keep", one.metadata.namespace_ = "default", one.metadata.uid = "u-keep";
  return one;
}

/// What comes of namespace `default`, one slot a line.
std::string listed(controller::objects const& all, instant now, std::size_t most, bool everywhere = false) {
  std::string text;
  for (auto& one : coming(all, "default", everywhere, now, most))
    text += to_text(one.time) + " " + one.what + " " + one.ns + "/" + one.name + "\n";
  return text;
}

TEST(Coming, ListsTheNextSlotsOfAllByTime) {
  controller::objects all;
  add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z")));
  add(all, keeper());
  EXPECT_EQ(listed(all, midnight, 4),
            "2026-11-21T03:00:00Z backup default/nightly\n"
            "2026-11-21T06:00:00Z quick maintenance default/keep\n"
            "2026-11-21T12:00:00Z quick maintenance default/keep\n"
            "2026-11-21T18:00:00Z quick maintenance default/keep\n");
  EXPECT_NE(listed(all, midnight, 9).find("2026-11-22T03:00:00Z full maintenance default/keep\n"), std::string::npos);
  EXPECT_EQ(listed(all, midnight, 0), "");
}

TEST(Coming, BeginsAfterNowAndHasNoEnd) {
  controller::objects all;
  add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z")));
  EXPECT_EQ(listed(all, at("2026-11-21T02:59:59Z"), 1), "2026-11-21T03:00:00Z backup default/nightly\n");
  EXPECT_EQ(listed(all, at("2026-11-21T03:00:00Z"), 1), "2026-11-22T03:00:00Z backup default/nightly\n") << "this one has begun";
  EXPECT_EQ(coming(all, "default", false, midnight, 100).size(), 100U);
}

TEST(Coming, SlotsOfOneTimeStandByNamespaceNameAndKind) {
  controller::objects all;
  auto one = schedule("0 6 22 11 *", at("2026-11-01T00:00:00Z"));
  for (auto* name : {"b", "a"}) one.metadata.name = name, one.metadata.uid = name, add(all, one);
  one.metadata.namespace_ = "another", one.metadata.name = "z", add(all, one);
  EXPECT_EQ(listed(all, midnight, 3, true),
            "2026-11-22T06:00:00Z backup another/z\n"
            "2026-11-22T06:00:00Z backup default/a\n"
            "2026-11-22T06:00:00Z backup default/b\n");
  EXPECT_EQ(listed(all, midnight, 1), "2026-11-22T06:00:00Z backup default/a\n") << "of the one namespace only";
}

TEST(Coming, LeavesOutWhatIsSuspendedOrHasNoTimetable) {
  controller::objects all;
  auto& one = add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z")));
  one.spec.schedule.suspend = true;
  EXPECT_EQ(listed(all, midnight, 3), "");
  one.spec.schedule.suspend = false, one.spec.schedule.cron = "not a cron";
  add(all, keeper());
  EXPECT_EQ(listed(all, midnight, 1), "2026-11-21T06:00:00Z quick maintenance default/keep\n") << "the others are listed";
}

TEST(Coming, SaysWhenASlotBeginsIncludingItsJitter) {
  controller::objects all;
  add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z"))).spec.schedule.jitter = 1h;
  auto slots = coming(all, "default", false, midnight, 2);
  ASSERT_EQ(slots.size(), 2U);
  for (auto& each : slots) {
    auto later = (each.time - midnight) % 24h;
    EXPECT_TRUE(later > 3h && later < 4h) << to_text(each.time);
  }
}

TEST(Coming, SaysWhyASlotWouldNotRunNow) {
  controller::objects all;
  add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z")));
  auto problem = [&] { return coming(all, "default", false, midnight, 1).at(0).problem; };
  EXPECT_TRUE(problem().starts_with("BackupConfig default/photos does not exist")) << problem();
  add(all, config()).spec.suspend = true;
  EXPECT_TRUE(problem().starts_with("BackupConfig photos is suspended")) << problem();
  add(all, config());
  EXPECT_TRUE(problem().starts_with("Repository repo, which BackupConfig photos names, does not exist")) << problem();
  auto& there = all.of<repository>()[{"default", "repo"}];
  there.metadata.name = "repo", there.metadata.namespace_ = "default";
  there.status.phase = repository_phase::Ready, there.status.unique_ID = "id";
  EXPECT_EQ(problem(), "");
}

TEST(Coming, IsATableWithItsProblems) {
  std::vector<coming_slot> const slots{{midnight + 3h + 500ms, "BackupSchedule", "default", "nightly", "backup", "No config."},
                                       {midnight + 6h, "Maintenance", "default", "keep", "quick maintenance", ""}};
  auto shown = coming_table(slots, midnight);
  EXPECT_EQ(render(shown, false),
            "WHEN                          WHAT               NAMESPACE  NAME     NOTE\n"
            "2026-11-21T03:00:00Z  in 3 h  backup             default    nightly  No config.\n"
            "2026-11-21T06:00:00Z  in 6 h  quick maintenance  default    keep\n");
  EXPECT_EQ(shown.rows[0][5].tone, tone::warn);
  EXPECT_EQ(json::dump(coming_json(slots)),
            R"([{"at":"2026-11-21T03:00:00.500Z","kind":"BackupSchedule","namespace":"default","name":"nightly","what":"backup",)"
            R"("problem":"No config."},{"at":"2026-11-21T06:00:00Z","kind":"Maintenance","namespace":"default","name":"keep",)"
            R"("what":"quick maintenance","problem":""}])");
}

controller::objects three_days() {
  controller::objects all;
  for (auto* day : {"2026-11-19", "2026-11-20", "2026-11-21"})
    add(all, made_backup(std::string("b-") + day, at((std::string(day) + "T03:00:00Z").c_str())));
  return all;
}
instant const morning = at("2026-11-21T04:00:00Z");

TEST(Fates, FollowTheRulesOfTheConfigOrThoseGivenInstead) {
  auto all = three_days();
  auto none = fates(all, config(), {}, morning);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->size(), 3u);
  for (auto& each : *none) EXPECT_TRUE(each.stays) << "without retention nothing goes";
  retention_policy two;
  two.keep_daily = 2;
  for (auto& judged : {fates(all, config(), two, morning), fates(all, config(two), {}, morning)}) {
    ASSERT_TRUE(judged);
    EXPECT_EQ(judged->back().backup, "b-2026-11-19");
    EXPECT_FALSE(judged->back().stays);
    EXPECT_EQ(judged->front().reasons.front(), "daily-1");
    EXPECT_EQ(judged->front().set, "photos@default:/pvc/photos");
    EXPECT_EQ(judged->front().ended, at("2026-11-21T03:00:00Z"));
  }
  retention_policy three;
  three.keep_daily = 3;
  EXPECT_TRUE(fates(all, config(two), three, morning)->back().stays) << "those given instead win";
}

TEST(Fates, AreUnknownUnderRulesThatCannotBeRead) {
  retention_policy nowhere;
  nowhere.keep_daily = 2, nowhere.timezone = "Nowhere/Town";
  auto judged = fates(three_days(), config(), nowhere, morning);
  ASSERT_FALSE(judged);
  EXPECT_NE(judged.error().find("Nowhere/Town"), std::string::npos) << judged.error();
}

TEST(Fates, AreATableOfWhatIsKeptAndDeleted) {
  std::vector<fate> const found{{.backup = "new", .ended = morning - 1h, .stays = true, .text = "It is kept as daily-1."},
                                {.backup = "old", .ended = morning - 48h - 250ms, .stays = false, .text = "No rule keeps it."}};
  auto shown = fates_table(found, morning);
  EXPECT_EQ(render(shown, false),
            "BACKUP  ENDED                                     WHY\n"
            "new     2026-11-21T03:00:00Z  60 min ago  keep    It is kept as daily-1.\n"
            "old     2026-11-19T03:59:59Z  2 d ago     delete  No rule keeps it.\n");
  EXPECT_EQ(shown.rows[0][3].tone, tone::good);
  EXPECT_EQ(shown.rows[1][3].tone, tone::warn);
}

TEST(Fates, AreAListOfObjectsForScripts) {
  std::vector<fate> const found{
      {.set = "a@h:/p", .backup = "old", .ended = morning, .stays = false, .reasons = {"x", "y"}, .text = "No rule keeps it."}};
  EXPECT_EQ(
      json::dump(fates_json(found)),
      R"([{"set":"a@h:/p","backup":"old","ended":"2026-11-21T04:00:00Z","stays":false,"reasons":["x","y"],"text":"No rule keeps it."}])");
}

TEST(Fates, TheSummaryCountsBothAndSaysThatNothingIsDeleted) {
  std::vector<fate> const found{{.stays = true}, {.stays = false}, {.stays = true}};
  EXPECT_EQ(fates_summary(found, false), "3 Backups: 2 to keep, 1 to delete. This verb deletes nothing.");
  EXPECT_EQ(fates_summary(found, true), "3 Backups: 2 to keep, 1 to delete by these rules. This verb deletes nothing.");
}

}  // namespace
}  // namespace kopiur::cli
