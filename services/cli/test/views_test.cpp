#include <gtest/gtest.h>

#include "services/cli/core/coming.hpp"
#include "services/cli/core/ending.hpp"
#include "services/cli/core/health.hpp"
#include "services/cli/core/manifests.hpp"
#include "services/cli/core/rows.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;
using namespace std::chrono_literals;

instant at(char const* text) { return *instant_from(text); }

backup made_backup(std::string name, instant ended, backup_origin origin = backup_origin::scheduled) {
  backup one;
  one.metadata.name = std::move(name), one.metadata.namespace_ = "default", one.metadata.uid = "u-" + one.metadata.name;
  one.metadata.creation_timestamp = ended;
  one.spec.config_ref = local_ref{"photos"};
  one.status.phase = backup_phase::Succeeded, one.status.origin = origin;
  one.status.timing = run_timing{.start_time = ended, .end_time = ended, .duration_seconds = 1};
  identity who{"photos", "default", "/pvc/photos"};
  one.status.snapshot = backup_snapshot{"0123456789abcdef", who};
  one.status.resolved = backup_resolved{.repository = resolved_repository{.name = "repo", .unique_ID = "id"}, .identity = who};
  return one;
}

void add(controller::objects& all, backup one) { all.of<backup>()[{one.metadata.namespace_, one.metadata.name}] = std::move(one); }

backup_config config(std::optional<retention_policy> keep = {}) {
  backup_config one;
  one.metadata.name = "photos", one.metadata.namespace_ = "default", one.metadata.uid = "u-config";
  one.spec.repository.name = "repo";
  one.spec.sources.push_back({pvc_source{"photos"}, {}});
  one.spec.retention = std::move(keep);
  return one;
}

backup_schedule schedule(std::string cron, instant created) {
  backup_schedule one;
  one.metadata.name = "nightly", one.metadata.namespace_ = "default", one.metadata.uid = "u-schedule";
  one.metadata.creation_timestamp = created;
  one.spec.config_ref.name = "photos", one.spec.schedule.cron = std::move(cron);
  return one;
}

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
  all.of<backup_schedule>()[{"default", "nightly"}] = daily;
  all.of<backup_config>()[{"default", "photos"}] = config();
  EXPECT_EQ(worst(health(all, "default", false, at("2026-11-21T04:00:00Z"))), mood::attention);
  auto later = health(all, "default", false, at("2026-11-22T04:00:00Z"));
  EXPECT_EQ(worst(later), mood::bad);
  EXPECT_NE(later.front().text.find("Overdue: last success 2 d ago, 1 failed in a row"), std::string::npos) << later.front().text;
  EXPECT_TRUE(health(all, "other", false, at("2026-11-22T04:00:00Z")).empty());
}

TEST(Health, SaysWhyAScheduleMakesNoBackups) {
  controller::objects all;
  add(all, made_backup("b", at("2026-11-20T03:01:00Z")));
  all.of<backup_schedule>()[{"default", "nightly"}] = schedule("0 3 * * *", at("2026-11-01T00:00:00Z"));
  all.of<backup_config>()[{"default", "photos"}] = config();
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
  all.of<backup_config>()[{"default", "photos"}] = one;
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
  failed.status.failure = run_failure{.class_ = kopia_failure::SourceUnreadable, .message = "1 entry could not be read."};
  add(all, made_backup("before", at("2026-11-20T03:00:00Z")));
  add(all, failed);
  auto said = health(all, "default", false, at("2026-11-21T04:00:00Z"));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].mood, mood::attention) << "a run that once failed is not red";
  EXPECT_EQ(said[0].text, "The newest of photos failed: 1 entry could not be read.");
  add(all, made_backup("after", at("2026-11-21T05:00:00Z")));
  EXPECT_TRUE(health(all, "default", false, at("2026-11-21T06:00:00Z")).empty());
}

TEST(Backups, StandByTimeWithTheirSizes) {
  controller::objects all;
  auto young = made_backup("a-young", at("2026-11-21T03:00:00Z"));
  young.status.stats = snapshot_stats{.size_bytes = 2048, .bytes_new = 10};
  add(all, young);
  add(all, made_backup("b-old", at("2026-11-20T03:00:00Z"), backup_origin::imported));
  auto shown = backups_table(all, {}, "photos", at("2026-11-21T04:00:00Z"));
  ASSERT_EQ(shown.rows.size(), 2u);
  EXPECT_EQ(shown.rows[0][0].text, "b-old");
  EXPECT_EQ(shown.rows[0][2].text, "imported");
  EXPECT_EQ(shown.rows[1][4].text, "60 min ago");
  EXPECT_EQ(shown.rows[1][5].text, "2.0 KiB");
  EXPECT_TRUE(backups_table(all, {.ns = "other"}, "", at("2026-11-21T04:00:00Z")).rows.empty());
  EXPECT_TRUE(backups_table(all, {}, "another-config", at("2026-11-21T04:00:00Z")).rows.empty());
}

TEST(Ending, OfABackupIsItsPhase) {
  controller::objects all;
  object_ref ref{"Backup", "default", "b", ""};
  EXPECT_FALSE(ended(all, ref)) << "not there yet";
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.phase = backup_phase::Running;
  add(all, one);
  EXPECT_FALSE(ended(all, ref));
  EXPECT_EQ(meanwhile(all, ref), "Running");
  one.status.phase = backup_phase::Failed;
  one.status.failure = run_failure{kopia_failure::DiskFull, "The disk is full.", "", true};
  add(all, one);
  auto end = ended(all, ref);
  ASSERT_TRUE(end);
  EXPECT_FALSE(end->good);
  EXPECT_EQ(end->text, "Backup b failed: The disk is full.");
  one.status.phase = backup_phase::Succeeded;
  add(all, one);
  EXPECT_TRUE(ended(all, ref)->good);
}

TEST(Ending, NamesTheReasonWhyAnObjectWaits) {
  controller::objects all;
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.phase.reset();
  one.status.conditions.push_back(
      {.type = "Ready", .status = condition_status::False, .reason = "R", .message = "Waiting for the repository."});
  add(all, one);
  EXPECT_EQ(meanwhile(all, {"Backup", "default", "b", ""}), "Pending: Waiting for the repository.");
}

TEST(Coming, ListsTheNextSlotsOfAllByTime) {
  controller::objects all;
  all.of<backup_schedule>()[{"default", "nightly"}] = schedule("0 3 * * *", at("2026-11-01T00:00:00Z"));
  maintenance keeper;
  keeper.metadata.name = "keep", keeper.metadata.namespace_ = "default", keeper.metadata.uid = "u-keep";
  all.of<maintenance>()[{"default", "keep"}] = keeper;
  auto slots = coming(all, "default", false, at("2026-11-21T00:00:00Z"), 3);
  ASSERT_EQ(slots.size(), 3u);
  EXPECT_EQ(slots[0].time, at("2026-11-21T03:00:00Z"));
  EXPECT_EQ(slots[0].what, "backup");
  EXPECT_NE(slots[0].problem.find("BackupConfig default/photos does not exist"), std::string::npos);
  EXPECT_EQ(slots[1].time, at("2026-11-21T06:00:00Z"));
  EXPECT_EQ(slots[1].what, "quick maintenance");
  all.of<backup_schedule>().begin()->second.spec.schedule.suspend = true;
  EXPECT_EQ(coming(all, "default", false, at("2026-11-21T00:00:00Z"), 1).front().what, "quick maintenance");
}

TEST(Fates, FollowTheRulesOfTheConfigOrThoseGivenInstead) {
  controller::objects all;
  for (auto* day : {"2026-11-19", "2026-11-20", "2026-11-21"})
    add(all, made_backup(std::string("b-") + day, at((std::string(day) + "T03:00:00Z").c_str())));
  auto now = at("2026-11-21T04:00:00Z");
  auto none = fates(all, config(), {}, now);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->size(), 3u);
  for (auto& each : *none) EXPECT_TRUE(each.stays) << "without retention nothing goes";
  retention_policy two;
  two.keep_daily = 2;
  auto judged = fates(all, config(), two, now);
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->back().backup, "b-2026-11-19");
  EXPECT_FALSE(judged->back().stays);
  EXPECT_EQ(judged->front().reasons.front(), "daily-1");
  two.timezone = "Nowhere/Town";
  EXPECT_FALSE(fates(all, config(), two, now));
}

TEST(Import, NamesABackupByConfigAndTime) {
  auto made = import_manifest({.ns = "default", .config = "photos", .time = at("2026-11-21T06:00:00Z"), .from = "/history"});
  EXPECT_EQ(made.text("metadata.name"), "import-photos-20261121-060000");
  EXPECT_EQ(made.text("spec.import.at"), "2026-11-21T06:00:00Z");
  EXPECT_EQ(made.text("spec.configRef.name"), "photos");
  auto lengthy = import_manifest({.ns = "default", .config = std::string(60, 'x'), .time = at("2026-11-21T06:00:00Z"), .from = "/h"});
  EXPECT_EQ(lengthy.text("metadata.name").size(), 63u);
}

TEST(RestoreOrder, RefusesWhatDoesNotGoTogether) {
  restore_order good{.ns = "default", .name = "r", .config = "photos", .claim = "back"};
  auto made = restore_manifest(good);
  ASSERT_TRUE(made);
  EXPECT_EQ(made->text("spec.source.fromConfig.name"), "photos");
  EXPECT_EQ(made->text("spec.target.pvc.name"), "back");
  auto changed = [&](auto change) {
    auto copy = good;
    change(copy);
    return restore_manifest(copy).has_value();
  };
  EXPECT_TRUE(changed([](auto& o) { o.existing = true; }));
  EXPECT_FALSE(changed([](auto& o) { o.backup = "b"; }));
  EXPECT_FALSE(changed([](auto& o) { o.config.reset(); }));
  EXPECT_FALSE(changed([](auto& o) { o.claim.clear(); }));
  EXPECT_FALSE(changed([](auto& o) { o.existing = true, o.capacity = "1Gi"; }));
  EXPECT_FALSE(changed([](auto& o) { o.backup = "b", o.config.reset(), o.offset = 1; }));
  EXPECT_TRUE(changed([](auto& o) { o.claim.clear(), o.dry_run = true; }));
  EXPECT_FALSE(changed([](auto& o) { o.claim.clear(), o.dry_run = true, o.existing = true; }));
  EXPECT_FALSE(changed([](auto& o) { o.snapshot = "s"; })) << "of what source?";
}

TEST(RestoreOrder, OfAnIdentityIsReadAsKopiaWritesIt) {
  restore_order order{.ns = "default", .name = "r", .identity = "app@db.prod:/pvc/a:b", .snapshot = "s1", .path = "x/y", .dry_run = true};
  order.repository = repository_named("ClusterRepository/shared");
  auto made = restore_manifest(order);
  ASSERT_TRUE(made) << made.error();
  EXPECT_EQ(json::dump(*made->find("spec")),
            R"({"source":{"identity":{"username":"app","hostname":"db.prod","sourcePath":"/pvc/a:b","snapshotID":"s1"}},)"
            R"("repository":{"kind":"ClusterRepository","name":"shared"},"options":{"path":"x/y"},"dryRun":true})");
  for (auto* wrong : {"", "app", "@h:/p", "a@:/p", "a@h", "a@h:"}) {
    order.identity = wrong;
    EXPECT_FALSE(restore_manifest(order)) << wrong;
  }
}

TEST(RestoreOrder, TakesTheOnlyRepositoryThereIs) {
  controller::objects all;
  EXPECT_FALSE(only_repository(all, "prod"));
  all.of<repository>()[{"prod", "nas"}] = {};
  all.of<repository>()[{"other", "nas2"}] = {};
  EXPECT_EQ(only_repository(all, "prod").value().name, "nas");
  all.of<repository>()[{"prod", "more"}] = {};
  EXPECT_FALSE(only_repository(all, "prod"));
}

}  // namespace
}  // namespace kopiur::cli
