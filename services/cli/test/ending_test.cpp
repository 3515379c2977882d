#include "services/cli/core/ending.hpp"

#include <gtest/gtest.h>

#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

object_ref ref(std::string kind, std::string name, std::string ns = "default") {
  return {std::move(kind), std::move(ns), std::move(name), ""};
}

template <class T>
T named(std::string name) {
  T one;
  one.metadata.name = std::move(name);
  if (T::info.scope == kind_scope::Namespaced) one.metadata.namespace_ = "default";
  return one;
}

/// `good: TEXT`, `bad: TEXT`, or `open`, for the only object of the cluster.
template <class T>
std::string end_of(T const& one) {
  controller::objects all;
  add(all, one);
  auto end = ended(all, ref(std::string(T::info.kind), one.metadata.name));
  return end ? (end->good ? "good: " : "bad: ") + end->text : "open";
}

TEST(Ending, OfABackupIsItsPhase) {
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  for (auto phase : {backup_phase::Pending, backup_phase::Running, backup_phase::Deleting}) {
    one.status.phase = phase;
    EXPECT_EQ(end_of(one), "open");
  }
  one.status.phase.reset();
  EXPECT_EQ(end_of(one), "open") << "it has no status yet";
  for (auto phase : {backup_phase::Succeeded, backup_phase::Discovered}) {
    one.status.phase = phase;
    EXPECT_EQ(end_of(one), "good: Backup b succeeded: snapshot 0123456789abcdef.");
  }
  one.status.stats = snapshot_stats{.size_bytes = 2048, .bytes_new = 10};
  EXPECT_EQ(end_of(one), "good: Backup b succeeded: snapshot 0123456789abcdef, 2.0 KiB, new 10 B.");
  one.status.snapshot.reset();
  EXPECT_EQ(end_of(one), "good: Backup b succeeded: nothing had changed, so there is no new snapshot.");
}

TEST(Ending, OfAFailureNamesItsReason) {
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.phase = backup_phase::Failed;
  one.status.conditions = {not_ready(""), condition(condition_type::stalled, false, "other"), not_ready("No lease.")};
  EXPECT_EQ(end_of(one), "bad: Backup b failed: No lease.");
  one.status.failure = run_failure{.class_ = kopia_failure::DiskFull, .message = "The disk is full."};
  EXPECT_EQ(end_of(one), "bad: Backup b failed: The disk is full.") << "the run knows it better";
  one.status.phase = backup_phase::Held;
  EXPECT_EQ(end_of(one), "bad: Backup b is held. No lease.");
}

TEST(Ending, OfARestoreNamesTheSnapshotAndWhatWasPassedOver) {
  auto one = named<restore>("r");
  EXPECT_EQ(end_of(one), "open");
  one.status.phase = restore_phase::Restoring;
  EXPECT_EQ(end_of(one), "open");
  one.status.phase = restore_phase::Completed;
  EXPECT_EQ(end_of(one), "good: Restore r completed.");
  one.status.resolved = restore_resolved{.snapshot_ID = "s1", .passed_over = {"b2 is held", "b3 is held"}};
  EXPECT_EQ(end_of(one),
            "good: Restore r completed from snapshot s1.\nNot taken, though newer: b2 is held.\nNot taken, though newer: b3 is held.");
  one.status.phase = restore_phase::Failed;
  one.status.conditions = {not_ready("No snapshot.")};
  EXPECT_EQ(end_of(one), "bad: Restore r failed: No snapshot.");
}

TEST(Ending, OfADryRunIsItsPlan) {
  auto one = named<restore>("r");
  one.spec.dry_run = true, one.status.phase = restore_phase::Completed;
  EXPECT_EQ(end_of(one), "good: Restore r completed.") << "there was no snapshot to plan with";
  one.status.plan = restore_preview{.snapshot_ID = "s1",
                                    .snapshot_time = at("2026-11-21T03:00:00Z"),
                                    .files = 12,
                                    .bytes = 2048,
                                    .created = 1,
                                    .replaced = 2,
                                    .unchanged = 3,
                                    .deleted = 4};
  std::string const counts =
      "good: Restore r is planned: snapshot s1 of 2026-11-21T03:00:00Z, 12 files, 2.0 KiB.\n"
      "  created 1, replaced 2, unchanged 3, deleted 4";
  EXPECT_EQ(end_of(one), counts + "\nNothing was written.");
  one.status.plan->ownership_lost = 2, one.status.plan->examples = {"a", "b"};
  EXPECT_EQ(end_of(one), counts + "\n  owner, group or mode cannot be kept of 2:\n    a\n    b\nNothing was written.");
  one.spec.dry_run = false;
  EXPECT_EQ(end_of(one), "good: Restore r completed.") << "a plan of an earlier spec";
}

TEST(Ending, OfARepositoryIsReadyOrFailed) {
  auto one = named<repository>("nas");
  auto shared = named<cluster_repository>("s3");
  for (auto phase : {repository_phase::Pending, repository_phase::Initializing, repository_phase::Degraded}) {
    one.status.phase = shared.status.phase = phase;
    EXPECT_EQ(end_of(one) + " " + end_of(shared), "open open");
  }
  one.status.phase = shared.status.phase = repository_phase::Ready;
  EXPECT_EQ(end_of(one), "good: Repository nas is ready.");
  EXPECT_EQ(end_of(shared), "good: Repository s3 is ready.") << "the namespace of the call does not matter";
  one.status.phase = repository_phase::Failed, one.status.conditions = {not_ready("Wrong password.")};
  EXPECT_EQ(end_of(one), "bad: Repository nas failed: Wrong password.");
}

TEST(Ending, OfAClaimIsThatItIsBoundAndOfOthersThatTheyAreThere) {
  auto claim = named<persistent_volume_claim>("photos");
  claim.status.phase = "Pending";
  EXPECT_EQ(end_of(claim), "open");
  claim.status.phase = "Bound";
  EXPECT_EQ(end_of(claim), "good: PersistentVolumeClaim photos is bound.");
  EXPECT_EQ(end_of(schedule("0 3 * * *", {})), "good: BackupSchedule nightly is there.");
  for (auto* kind : {"Backup", "Restore", "Repository", "PersistentVolumeClaim", "BackupSchedule", "Pod"})
    EXPECT_FALSE(ended({}, ref(kind, "none"))) << kind;
}

TEST(Meanwhile, IsThePhaseAndWhyItDoesNotChange) {
  controller::objects all;
  auto& one = add(all, made_backup("b", at("2026-11-21T03:00:00Z")));
  one.status.phase = backup_phase::Running;
  EXPECT_EQ(meanwhile(all, ref("Backup", "b")), "Running");
  one.status.phase.reset();
  one.status.conditions = {not_ready("Waiting for the repository.")};
  EXPECT_EQ(meanwhile(all, ref("Backup", "b")), "Pending: Waiting for the repository.");
  one.status.conditions = {condition(condition_type::ready, true, "It can run.")};
  EXPECT_EQ(meanwhile(all, ref("Backup", "b")), "Pending") << "a condition that holds does not say why it waits";
  add(all, named<cluster_repository>("s3")).status.phase = repository_phase::Degraded;
  EXPECT_EQ(meanwhile(all, ref("ClusterRepository", "s3")), "Degraded");
  EXPECT_EQ(meanwhile(all, ref("Restore", "none")), "Pending") << "not in the mirror yet";
  EXPECT_EQ(meanwhile(all, ref("BackupSchedule", "nightly")), "Pending") << "it has no phase";
}

/// Failures and plans name files of users.
TEST(Ending, WritesNoControlCharacters) {
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.phase = backup_phase::Failed, one.status.failure = run_failure{.message =
                                                                                "a\033[2Jb cannot be read,\nnor \xc2\x9b"
                                                                                "2J."};
  EXPECT_EQ(end_of(one), "bad: Backup b failed: a?[2Jb cannot be read,\nnor ?2J.");
  auto two = named<restore>("r");
  two.spec.dry_run = true, two.status.phase = restore_phase::Completed;
  two.status.plan = restore_preview{.ownership_lost = 1, .examples = {"x\ry\x7f"}};
  EXPECT_NE(end_of(two).find("\n    x?y?\n"), std::string::npos) << end_of(two);
  controller::objects all;
  add(all, one).status.conditions = {not_ready("\033[2J")};
  EXPECT_EQ(meanwhile(all, ref("Backup", "b")), "Failed: ?[2J");
  EXPECT_EQ(progress_text({.phase = "hash\007ing"}), "hash?ing");
}

TEST(RunOf, IsThatOfAJobThatStillRunsForTheObject) {
  controller::objects all;
  auto put = [&](std::string run, job_phase phase, object_ref served) {
    all.of<job>()[{"default", run + "-1"}] = {
        .run = run, .serves = {ref("Repository", "nas"), std::move(served)}, .status = {.phase = phase}};
  };
  put("finished", job_phase::Finished, ref("Backup", "b"));
  put("lost", job_phase::Lost, ref("Backup", "b"));
  put("other-name", job_phase::Running, ref("Backup", "c"));
  put("other-kind", job_phase::Running, ref("Restore", "b"));
  put("other-namespace", job_phase::Running, ref("Backup", "b", "other"));
  EXPECT_EQ(run_of(all, ref("Backup", "b")), "");
  put("starting", job_phase::Starting, ref("Backup", "b"));
  EXPECT_EQ(run_of(all, ref("Backup", "b")), "starting");
}

TEST(Progress, ShowsOnlyWhatIsKnown) {
  struct {
    kopia_progress progress;
    char const* text;
  } const cases[] = {
      {{}, "working"},
      {{.phase = "connecting"}, "connecting"},
      {{.percent = 42.9, .phase = "hashing"}, "hashing  42% [#########-----------]"},
      {{.percent = 1e300, .phase = "hashing"}, "hashing  100% [####################]"},
      {{.percent = -5, .phase = "hashing"}, "hashing  0% [--------------------]"},
      {{.bytes_hashed = 2048, .bytes_uploaded = 1024, .files_processed = 3, .phase = "hashing"},
       "hashing  2.0 KiB read, 1.0 KiB uploaded, 3 files"},
      {{.bytes_hashed = 2048, .phase = "restoring"}, "restoring  2.0 KiB written"},
  };
  for (auto& each : cases) EXPECT_EQ(progress_text(each.progress), each.text);
}

}  // namespace
}  // namespace kopiur::cli
