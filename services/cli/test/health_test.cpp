#include "services/cli/core/health.hpp"

#include <gtest/gtest.h>

#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

TEST(Overdue, IsAScheduleThatMissedTwoSlotsInARow) {
  auto daily = schedule("0 3 * * *", at("2026-11-01T00:00:00Z"));
  auto newest = at("2026-11-20T03:01:00Z");
  EXPECT_FALSE(is_overdue(daily, newest, at("2026-11-21T02:00:00Z")));
  EXPECT_FALSE(is_overdue(daily, newest, at("2026-11-22T02:00:00Z"))) << "one slot failed or still runs";
  EXPECT_TRUE(is_overdue(daily, newest, at("2026-11-22T03:00:01Z")));
  daily.spec.schedule.suspend = true;
  EXPECT_FALSE(is_overdue(daily, newest, at("2026-11-30T03:00:01Z")));
}

TEST(Overdue, CountsFromCreationWhereNothingEverSucceeded) {
  auto daily = schedule("0 3 * * *", at("2026-11-20T12:00:00Z"));
  EXPECT_FALSE(is_overdue(daily, {}, at("2026-11-21T12:00:00Z")));
  EXPECT_TRUE(is_overdue(daily, {}, at("2026-11-22T12:00:00Z")));
}

TEST(NewestSuccess, PassesOverFailuresHistoryAndOtherConfigs) {
  controller::objects all;
  add(all, made_backup("good", at("2026-11-20T03:00:00Z")));
  auto failed = made_backup("failed", at("2026-11-21T03:00:00Z"));
  failed.status.phase = backup_phase::Failed;
  auto imported = made_backup("imported", at("2026-11-21T04:00:00Z"));
  imported.spec.import_ = import_history{at("2026-11-21T04:00:00Z"), "/old"};
  auto other = made_backup("other", at("2026-11-21T05:00:00Z"));
  other.spec.config_ref->name = "music";
  for (auto& each : {failed, imported, other}) add(all, each);
  EXPECT_EQ(newest_success(all, "default", "photos"), at("2026-11-20T03:00:00Z"));
  EXPECT_FALSE(newest_success(all, "default", "none"));
}

TEST(Health, IsRedWhenOverdueAndNotForARunThatOnceFailed) {
  controller::objects all;
  auto daily = schedule("0 3 * * *", at("2026-11-01T00:00:00Z"));
  daily.status.consecutive_failures = 1;
  add(all, made_backup("b", at("2026-11-20T03:01:00Z")));
  add(all, daily);
  add(all, config());
  EXPECT_EQ(worst(health(all, "default", false, at("2026-11-21T04:00:00Z"))), mood::attention);
  auto later = health(all, "default", false, at("2026-11-22T04:00:00Z"));
  EXPECT_EQ(worst(later), mood::bad);
  EXPECT_NE(later.front().text.find("Overdue: last success 2 d ago, 1 failed in a row"), std::string::npos) << later.front().text;
  EXPECT_TRUE(health(all, "other", false, at("2026-11-22T04:00:00Z")).empty());
}

TEST(Health, SaysWhyAScheduleMakesNoBackups) {
  controller::objects all;
  add(all, made_backup("b", at("2026-11-20T03:01:00Z")));
  add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z")));
  add(all, config());
  all.of<backup_config>().begin()->second.spec.suspend = true;
  auto told = [&](instant now) {
    for (auto& each : health(all, "default", false, now))
      if (each.area == "schedule") return each.text;
    return std::string();
  };
  EXPECT_TRUE(told(at("2026-11-21T04:00:00Z")).starts_with("It makes no Backups: BackupConfig photos is suspended"))
      << told(at("2026-11-21T04:00:00Z"));
  EXPECT_TRUE(told(at("2026-11-22T04:00:00Z")).starts_with("Overdue: ")) << "that it is suspended does not make it well";
}

TEST(Health, CountsWhatWasSavedSinceTheRepositoryWasListed) {
  controller::objects all;
  auto& one = all.of<repository>()[{"default", "repo"}];
  one.metadata.name = "repo", one.metadata.namespace_ = "default";
  one.status.phase = repository_phase::Ready, one.status.unique_ID = "id";
  one.status.storage_stats = storage_stats{0, 0, at("2026-11-20T03:00:00Z")};
  auto said = [&] { return health(all, "default", false, at("2026-11-21T04:00:00Z")).at(0).text; };
  EXPECT_EQ(said(), "Ready: 0 snapshots, newest of each source 0 B.");
  for (auto* name : {"a", "b"}) {
    auto saved = made_backup(name, at(name[0] == 'a' ? "2026-11-21T03:00:00Z" : "2026-11-21T03:30:00Z"));
    saved.status.stats = snapshot_stats{.size_bytes = name[0] == 'a' ? 100 : 200};
    add(all, saved);
  }
  EXPECT_EQ(said(), "Ready: 2 snapshots, newest of each source 200 B.");
  one.status.storage_stats = storage_stats{5, 7, at("2026-11-20T03:00:00Z")};
  EXPECT_EQ(said(), "Ready: 5 snapshots, newest of each source 7 B.") << "the catalog is bounded";
}

TEST(Health, IsRedOfWhatIsHeldUntilAGoodOneFollows) {
  controller::objects all;
  auto held = made_backup("held", at("2026-11-20T03:00:00Z"));
  held.status.phase = backup_phase::Held, held.status.shrunk = shrinkage{.snapshot = "s"};
  held.status.conditions.push_back({.type = "Ready", .status = condition_status::False, .message = "It shrank."});
  add(all, held);
  add(all, made_backup("before", at("2026-11-19T03:00:00Z")));
  auto said = [&] { return health(all, "default", false, at("2026-11-21T04:00:00Z")); };
  EXPECT_EQ(worst(said()), mood::bad);
  auto other = made_backup("other", at("2026-11-21T03:00:00Z"));
  other.status.snapshot->identity.source_path = "/pvc/other";
  add(all, other);
  EXPECT_EQ(worst(said()), mood::bad) << "it is of another source";
  add(all, made_backup("after", at("2026-11-21T03:00:00Z")));
  EXPECT_EQ(worst(said()), mood::attention);
  EXPECT_EQ(said().at(0).text, "A newer Backup of the source succeeded. Accept this one, or delete it. It shrank.");
}

TEST(Health, TellsWhatWouldBeRefusedToday) {
  controller::objects all;
  auto one = config();
  one.status.conditions.push_back({.type = "SpecFit", .status = condition_status::False, .message = "ZSTD"});
  add(all, one);
  auto said = health(all, "default", false, at("2026-11-21T04:00:00Z"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].area + " " + said[0].text, "config ZSTD");
  EXPECT_EQ(said[0].mood, mood::attention);
}

/// Without a schedule, no other status reports the failure.
TEST(Health, SaysThatTheNewestBackupOfAConfigFailed) {
  controller::objects all;
  auto failed = made_backup("failed", at("2026-11-21T03:00:00Z"));
  failed.status.phase = backup_phase::Failed;
  failed.status.failure = run_failure{.class_ = failure_class::SourceUnreadable, .message = "1 entry could not be read."};
  add(all, made_backup("before", at("2026-11-20T03:00:00Z")));
  add(all, failed);
  auto said = health(all, "default", false, at("2026-11-21T04:00:00Z"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].mood, mood::attention) << "a run that once failed is not red";
  EXPECT_EQ(said[0].text, "The newest of photos failed: 1 entry could not be read.");
  add(all, made_backup("after", at("2026-11-21T05:00:00Z")));
  EXPECT_TRUE(health(all, "default", false, at("2026-11-21T06:00:00Z")).empty());
}

}  // namespace
}  // namespace kopiur::cli
