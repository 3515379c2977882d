#include <gtest/gtest.h>

#include "services/cli/test/health_texts.hpp"

/// What health says of Backups and Restores.
namespace kopiur::cli {
namespace {

using namespace proto;
using namespace std::chrono_literals;

TEST(HealthOfBackups, IsSilentAboutThoseThatSucceeded) {
  EXPECT_EQ(said(made_backup("b", now - 1h)), "");
  EXPECT_EQ(said(made_backup("b", now - 1h, backup_origin::discovered)), "");
}

TEST(HealthOfBackups, ShowsWhatRunsAndWhatWaits) {
  auto one = made_backup("b", now - 1h);
  one.status.phase = backup_phase::Running;
  EXPECT_EQ(said(one), "waiting backup default/b: Running.\n");
  one.status.progress = backup_progress{.percent = 42};
  EXPECT_EQ(said(one), "waiting backup default/b: Running 42%.\n");
  one.status.phase = backup_phase::Pending;
  EXPECT_EQ(said(one), "waiting backup default/b: It waits for its turn.\n");
  one.status.phase.reset(), one.status.conditions = {condition(condition_type::ready, true, "no"), not_ready("It waits for a lease.")};
  EXPECT_EQ(said(one), "waiting backup default/b: It waits for a lease.\n");
  one.metadata.namespace_ = "other";
  EXPECT_EQ(said(one), "");
}

TEST(HealthOfBackups, ADeletionIsANoteOnceItTakesLong) {
  auto one = made_backup("b", now - 1h);
  one.metadata.deletion_timestamp = now - 2min;
  EXPECT_EQ(said(one), "");
  one.metadata.deletion_timestamp = now - 3min;
  EXPECT_EQ(said(one), "attention backup default/b: Deletion started 3 min ago.\n");
  one.status.conditions = {condition(condition_type::snapshot_deletion_failed, false, "never tried"), not_ready("It waits for a lease.")};
  EXPECT_EQ(said(one), "attention backup default/b: Deletion started 3 min ago: It waits for a lease.\n");
  one.status.phase = backup_phase::Running;
  EXPECT_EQ(said(one).find("Running"), std::string::npos) << "only its deletion is told";
}

TEST(HealthOfBackups, ASnapshotThatCannotBeDeletedIsRedAtOnce) {
  auto one = made_backup("b", now - 1h);
  one.metadata.deletion_timestamp = now;
  one.status.conditions = {condition(condition_type::snapshot_deletion_failed, true, "Permission denied.")};
  EXPECT_EQ(said(one), "bad backup default/b: Its snapshot cannot be deleted: Permission denied.\n");
}

TEST(HealthOfBackups, IsRedOfWhatIsHeldUntilAGoodOneFollows) {
  controller::objects all;
  auto held = made_backup("held", at("2026-11-20T03:00:00Z"));
  held.status.phase = backup_phase::Held, held.status.shrunk = shrinkage{.snapshot = "s"};
  held.status.conditions.push_back(not_ready("It shrank."));
  add(all, held);
  add(all, made_backup("before", at("2026-11-19T03:00:00Z")));
  EXPECT_EQ(said_of(all), "bad backup default/held: It shrank.\n");
  auto other = made_backup("other", at("2026-11-21T03:00:00Z"));
  other.status.snapshot->identity.source_path = "/pvc/other";
  add(all, other);
  EXPECT_EQ(said_of(all), "bad backup default/held: It shrank.\n") << "it is of another source";
  add(all, made_backup("after", at("2026-11-21T03:00:00Z")));
  EXPECT_EQ(said_of(all),
            "attention backup default/held: A newer Backup of the source succeeded. Accept this one, or delete it. It shrank.\n");
}

backup failed_backup(std::string name, instant ended) {
  auto one = made_backup(std::move(name), ended);
  one.status.phase = backup_phase::Failed;
  one.status.failure = run_failure{.class_ = kopia_failure::SourceUnreadable, .message = "1 entry could not be read."};
  return one;
}

/// Without a schedule, no other status reports the failure. A run that once failed is not red.
TEST(HealthOfBackups, SaysThatTheNewestOfAConfigFailed) {
  controller::objects all;
  add(all, made_backup("before", now - 2h));
  add(all, failed_backup("failed", now - 1h));
  auto const told = "attention backup default/failed: The newest of photos failed: 1 entry could not be read.\n";
  EXPECT_EQ(said_of(all), told);
  auto history = made_backup("history", now), other = made_backup("other", now), open = made_backup("open", now);
  history.spec.import_ = import_history{now, "/old"}, other.spec.config_ref->name = "music", open.status.timing->end_time.reset();
  auto elsewhere = made_backup("elsewhere", now), nobodys = made_backup("nobodys", now);
  elsewhere.metadata.namespace_ = "other", nobodys.spec.config_ref.reset();
  auto discovered = made_backup("discovered", now, backup_origin::discovered);
  discovered.status.phase = backup_phase::Discovered;
  for (auto& each : {history, other, open, elsewhere, nobodys, discovered}) add(all, each);
  EXPECT_EQ(said_of(all), told) << "none of these is a newer result of the config";
  add(all, made_backup("after", now));
  EXPECT_EQ(said_of(all), "");
}

TEST(HealthOfBackups, AFailureWithoutAReasonIsToldButNotOfADeletedOneNorOfOthers) {
  auto one = failed_backup("failed", now - 1h);
  one.status.failure.reset();
  EXPECT_EQ(said(one), "attention backup default/failed: The newest of photos failed: no reason is known.\n");
  one.metadata.deletion_timestamp = now;
  EXPECT_EQ(said(one), "");
  one.metadata.deletion_timestamp.reset(), one.metadata.namespace_ = "other";
  EXPECT_EQ(said(one), "");
}

TEST(HealthOfRestores, ShowsWhatIsOpenOrFailed) {
  restore one;
  one.metadata.name = "r", one.metadata.namespace_ = "default";
  EXPECT_EQ(said(one), "") << "a passive Restore waits by design";
  one.spec.target = new_claim{.name = "back"};
  EXPECT_EQ(said(one), "waiting restore default/r: Pending.\n");
  one.status.phase = restore_phase::Restoring, one.status.conditions = {not_ready("12 files so far.")};
  EXPECT_EQ(said(one), "waiting restore default/r: Restoring: 12 files so far.\n");
  one.status.phase = restore_phase::Failed;
  EXPECT_EQ(said(one), "attention restore default/r: It failed: 12 files so far.\n");
  one.status.failure = run_failure{.message = "The disk is full."};
  EXPECT_EQ(said(one), "attention restore default/r: It failed: The disk is full.\n");
  one.status.failure.reset(), one.status.conditions.clear();
  EXPECT_EQ(said(one), "attention restore default/r: It failed: no reason is known.\n");
  one.status.phase = restore_phase::Completed;
  EXPECT_EQ(said(one), "");
  one.status.phase = restore_phase::Failed, one.metadata.namespace_ = "other";
  EXPECT_EQ(said(one), "");
}

}  // namespace
}  // namespace kopiur::cli
