#include <gtest/gtest.h>

#include "services/cli/test/health_texts.hpp"

/// What health says of repositories, configs, schedules and maintenances.
namespace kopiur::cli {
namespace {

using namespace proto;
using namespace std::chrono_literals;

template <class T>
T named(std::string name) {
  T one;
  one.metadata.name = std::move(name);
  if (T::info.scope == kind_scope::Namespaced) one.metadata.namespace_ = "default";
  return one;
}

TEST(Overdue, IsAScheduleThatMissedTwoSlotsInARow) {
  auto daily = schedule("0 3 * * *", at("2026-11-01T00:00:00Z"));
  auto newest = at("2026-11-20T03:01:00Z");
  EXPECT_FALSE(is_overdue(daily, newest, at("2026-11-21T02:00:00Z")));
  EXPECT_FALSE(is_overdue(daily, newest, at("2026-11-22T02:59:59Z"))) << "one slot failed or still runs";
  EXPECT_TRUE(is_overdue(daily, newest, at("2026-11-22T03:00:00Z")));
  EXPECT_FALSE(is_overdue(daily, at("2026-11-23T00:00:00Z"), at("2026-11-22T03:00:01Z"))) << "a clock was wrong";
  daily.spec.schedule.suspend = true;
  EXPECT_FALSE(is_overdue(daily, newest, at("2026-11-30T03:00:01Z")));
  daily.spec.schedule.suspend = false, daily.spec.schedule.cron = "not a cron";
  EXPECT_FALSE(is_overdue(daily, newest, at("2026-11-30T03:00:01Z")));
}

TEST(Overdue, CountsFromCreationWhereNothingEverSucceeded) {
  auto daily = schedule("0 3 * * *", at("2026-11-20T12:00:00Z"));
  EXPECT_FALSE(is_overdue(daily, {}, at("2026-11-21T12:00:00Z")));
  EXPECT_TRUE(is_overdue(daily, {}, at("2026-11-22T12:00:00Z")));
}

TEST(NewestSuccess, PassesOverFailuresHistoryAndOtherConfigs) {
  controller::objects all;
  add(all, made_backup("good", now - 9h));
  add(all, made_backup("older", now - 10h));
  auto failed = made_backup("failed", now), imported = failed, other = failed, elsewhere = failed, discovered = failed, open = failed;
  failed.status.phase = backup_phase::Failed;
  imported.metadata.name = "imported", imported.spec.import_ = import_history{now, "/old"};
  other.metadata.name = "other", other.spec.config_ref->name = "music";
  elsewhere.metadata.name = "elsewhere", elsewhere.metadata.namespace_ = "other";
  discovered.metadata.name = "discovered", discovered.spec.config_ref.reset();
  open.metadata.name = "open", open.status.timing.reset();
  for (auto& each : {failed, imported, other, elsewhere, discovered, open}) add(all, each);
  EXPECT_EQ(newest_success(all, "default", "photos"), now - 9h);
  EXPECT_FALSE(newest_success(all, "default", "none"));
}

repository ready_repository() {
  auto one = named<repository>("repo");
  one.status.phase = repository_phase::Ready, one.status.unique_ID = "id";
  return one;
}
backup saved(std::string name, instant ended, std::int64_t bytes) {
  auto one = made_backup(std::move(name), ended);
  one.status.stats = snapshot_stats{.size_bytes = bytes};
  return one;
}

TEST(HeldBy, CountsAllSnapshotsAndTheBytesOfTheNewestOfEachSource) {
  controller::objects all;
  auto one = ready_repository();
  EXPECT_FALSE(held_by(all, one.status)) << "never listed, and no Backup is known";
  add(all, saved("b", now - 1h, 200)), add(all, saved("a", now - 2h, 100)), add(all, saved("c", now - 3h, 400));
  auto of_other_source = saved("d", now - 9h, 1000);
  of_other_source.status.snapshot->identity.source_path = "/pvc/other";
  add(all, of_other_source);
  auto going = saved("going", now, 7), elsewhere = saved("elsewhere", now, 7), unfinished = saved("unfinished", now, 7);
  going.metadata.deletion_timestamp = now;
  elsewhere.status.resolved = backup_resolved{.repository = resolved_repository{.name = "repo", .unique_ID = "id2"},
                                              .identity = identity{"photos", "default", "/"}};
  unfinished.status.snapshot.reset();
  for (auto& each : {going, elsewhere, unfinished}) add(all, each);
  auto found = held_by(all, one.status);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->snapshots, 4);
  EXPECT_EQ(found->bytes, 1200);
  one.status.unique_ID.reset();
  EXPECT_FALSE(held_by(all, one.status)) << "an unknown repository holds nothing";
}

TEST(HeldBy, IsTheListWhereThatHasMore) {
  controller::objects all;
  auto one = ready_repository();
  one.status.storage_stats = storage_stats{0, 0, now};
  EXPECT_EQ(held_by(all, one.status).value().snapshots, 0) << "listed, and empty";
  add(all, saved("a", now - 2h, 100)), add(all, saved("b", now - 1h, 200));
  EXPECT_EQ(held_by(all, one.status).value().bytes, 200) << "saved since it was listed";
  one.status.storage_stats = storage_stats{2, 7, now};
  EXPECT_EQ(held_by(all, one.status).value().bytes, 200);
  one.status.storage_stats = storage_stats{3, 7, now};
  EXPECT_EQ(held_by(all, one.status).value().bytes, 7) << "the catalog is bounded";
  EXPECT_EQ(held_by(all, one.status).value().snapshots, 3);
}

TEST(HealthOfRepositories, SaysWhatAReadyOneHolds) {
  controller::objects all;
  auto& one = add(all, ready_repository());
  EXPECT_EQ(said_of(all), "good repository default/repo: Ready.\n");
  one.status.storage_stats = storage_stats{0, 0, now};
  EXPECT_EQ(said_of(all), "good repository default/repo: Ready: 0 snapshots, newest of each source 0 B.\n");
  add(all, saved("a", now - 2h, 100));
  EXPECT_EQ(said_of(all), "good repository default/repo: Ready: 1 snapshot, newest of each source 100 B.\n");
  add(all, saved("b", now - 1h, 200));
  EXPECT_EQ(said_of(all), "good repository default/repo: Ready: 2 snapshots, newest of each source 200 B.\n");
}

TEST(HealthOfRepositories, IsRedWhereItFailedAndWaitsWhereItBegins) {
  auto one = named<repository>("nas");
  EXPECT_EQ(said(one), "waiting repository default/nas: Pending.\n");
  one.status.conditions = {not_ready("Wrong password.")};
  struct {
    repository_phase phase;
    char const* said;
  } const cases[] = {{repository_phase::Initializing, "waiting repository default/nas: Initializing: Wrong password.\n"},
                     {repository_phase::Degraded, "bad repository default/nas: Degraded: Wrong password.\n"},
                     {repository_phase::Failed, "bad repository default/nas: Failed: Wrong password.\n"}};
  for (auto& each : cases) {
    one.status.phase = each.phase;
    EXPECT_EQ(said(one), each.said);
  }
}

TEST(HealthOfRepositories, ASuspendedOneIsANoteWhateverItsPhase) {
  auto one = named<repository>("nas");
  one.spec.suspend = true, one.status.phase = repository_phase::Failed;
  EXPECT_TRUE(said(one).starts_with("attention repository default/nas: Suspended (by its manifest")) << said(one);
}

TEST(Health, TellsWhatWouldBeRefusedToday) {
  auto one = config();
  one.status.conditions = {condition(condition_type::spec_fit, false, "ZSTD"), condition(condition_type::rest_bounded, false, "no matter")};
  EXPECT_EQ(said(one), "attention config default/photos: ZSTD\n");
  one.status.conditions = {condition(condition_type::spec_fit, true, "It fits.")};
  EXPECT_EQ(said(one), "");
  auto nas = ready_repository();
  nas.status.conditions = {condition(condition_type::password_fit, false, "The password has spaces.")};
  EXPECT_EQ(said(nas), "attention repository default/repo: The password has spaces.\ngood repository default/repo: Ready.\n");
}

TEST(Health, TellsThatTheManifestOfAConfigHasVanished) {
  auto one = config();
  one.metadata.annotations[std::string(annotation::manifest_missing)] = "true";
  EXPECT_EQ(
      said(one),
      "attention config default/photos: Its manifest has vanished, so no backup of it is taken, and none is pruned: put the file back, or "
      "delete the config.\n");
}

TEST(Health, IsOfOneNamespaceAndTheClusterOrOfAll) {
  controller::objects all;
  add(all, named<repository>("nas"));
  add(all, named<cluster_repository>("s3"));
  auto const shared = "waiting repository s3: Pending.\n", own = "waiting repository default/nas: Pending.\n";
  EXPECT_EQ(said_of(all, "other"), shared);
  EXPECT_EQ(said_of(all, "other", true), said_of(all));
  EXPECT_NE(said_of(all).find(own), std::string::npos);
}

TEST(Health, TellsProblemsFirstThenNotes) {
  controller::objects all;
  add(all, ready_repository());
  add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z")));
  auto keep = named<maintenance>("keep");
  keep.status.quick = maintenance_run_status{.consecutive_failures = 1};
  add(all, keep);
  auto found = health(all, "default", false, now);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].area + " " + found[1].area + " " + found[2].area, "schedule maintenance repository");
}

/// A ready repository, the BackupConfig `photos` and its daily BackupSchedule.
controller::objects daily_at_three() {
  controller::objects all;
  add(all, ready_repository()), add(all, config()), add(all, schedule("0 3 * * *", at("2026-11-20T12:00:00Z")));
  return all;
}
/// What is said of the schedule.
std::string of_schedule(controller::objects const& all, instant when = now) {
  auto text = said_of(all, "default", false, when);
  auto begin = text.find(" schedule default/nightly: ");
  if (begin == text.npos) return text;
  auto line = text.rfind('\n', begin) == text.npos ? 0 : text.rfind('\n', begin) + 1;
  return text.substr(line, text.find('\n', begin) - line);
}

TEST(HealthOfSchedules, SaysLastSuccessAndNextSlot) {
  auto all = daily_at_three();
  auto& nightly = all.of<backup_schedule>().begin()->second;
  EXPECT_EQ(of_schedule(all), "waiting schedule default/nightly: It waits for its first slot.");
  nightly.status.next_schedule = next_schedule{now + 23h};
  EXPECT_EQ(of_schedule(all), "waiting schedule default/nightly: It waits for its first slot, next in 23 h.");
  add(all, made_backup("b", now - 1h));
  EXPECT_EQ(of_schedule(all), "good schedule default/nightly: On time: last success 60 min ago, next in 23 h.");
  nightly.status.last_successful_schedule = last_successful_schedule{now - 30min, {}};
  EXPECT_EQ(of_schedule(all), "good schedule default/nightly: On time: last success 30 min ago, next in 23 h.") << "it was deleted since";
  nightly.status.consecutive_failures = 2;
  EXPECT_EQ(
      of_schedule(all),
      "attention schedule default/nightly: On time, but the last run failed: last success 30 min ago, 2 failed in a row, next in 23 h.");
}

TEST(HealthOfSchedules, AnOverdueOneIsRedWithTheWayToItsBackups) {
  auto all = daily_at_three();
  EXPECT_EQ(of_schedule(all, now + 24h),
            "bad schedule default/nightly: Overdue: it has never succeeded. See: kopiur backups --config photos");
  add(all, made_backup("b", at("2026-11-20T12:00:00Z")));
  all.of<backup_schedule>().begin()->second.status.consecutive_failures = 1;
  all.of<backup_config>().begin()->second.spec.suspend = true;
  EXPECT_TRUE(
      of_schedule(all, now).starts_with("attention schedule default/nightly: It makes no Backups: BackupConfig photos is suspended"))
      << of_schedule(all, now);
  EXPECT_TRUE(of_schedule(all, now + 24h)
                  .starts_with("bad schedule default/nightly: Overdue: last success 40 h ago, 1 failed in a row. "
                               "BackupConfig photos is suspended"))
      << of_schedule(all, now + 24h);
}

TEST(HealthOfSchedules, IsRedWithoutItsConfigAndANoteWithoutItsManifest) {
  auto one = schedule("0 3 * * *", at("2026-11-20T12:00:00Z"));
  EXPECT_EQ(said(one), "bad schedule default/nightly: BackupConfig photos does not exist: create it, or correct spec.configRef.\n");
  one.metadata.annotations[std::string(annotation::manifest_missing)] = "true";
  EXPECT_TRUE(said(one).starts_with("attention schedule default/nightly: Its manifest has vanished")) << said(one);
}

TEST(HealthOfMaintenances, IsRedAfterThreeFailuresInARow) {
  auto one = named<maintenance>("keep");
  EXPECT_EQ(said(one), "");
  auto after = [&](std::int64_t quick, std::int64_t full) {
    one.status.quick = maintenance_run_status{.consecutive_failures = quick};
    one.status.full = maintenance_run_status{.consecutive_failures = full};
    return said(one);
  };
  EXPECT_EQ(after(0, 0), "");
  EXPECT_EQ(after(2, 0), "attention maintenance default/keep: The last run failed; the next one tries again.\n");
  EXPECT_EQ(after(1, 3), "bad maintenance default/keep: It failed 3 times in a row: space is not freed.\n");
  one.status.conditions = {condition(condition_type::ownership_conflict, false, "none"),
                           condition(condition_type::ownership_conflict, true, "root@nas maintains it.")};
  EXPECT_EQ(after(1, 3), "bad maintenance default/keep: root@nas maintains it.\n") << "it is why they fail";
}

}  // namespace
}  // namespace kopiur::cli
