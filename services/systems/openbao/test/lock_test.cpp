#include <gtest/gtest.h>

#include "services/systems/openbao/test/scene.hpp"

/// The operation lock (spec/openbao-restore.md A2.2).
namespace kopiur::openbao {
namespace {

using namespace test;

TEST(OperationLock, IsWrittenAsOpenBaosOperatorWritesIt) {
  scene it;
  EXPECT_EQ(it.take(), "");
  EXPECT_EQ(json::dump(json::encode(*it.cluster->status.operation_lock)),
            R"({"operation":"Restore","holder":"openbaorestore/back","message":"restore team/back",)"
            R"("acquiredAt":"2027-01-15T08:00:00Z","renewedAt":"2027-01-15T08:00:00Z"})");
}

/// A stale view shows it free, and the live object is another's: compare-and-set finds that (A6.5).
TEST(OperationLock, OfAnotherIsNotTakenByAStaleView) {
  scene it;
  auto first = std::get<controller::wait>(it.secure()).asks.at(0);
  it.lock("Backup", "openbaocluster/backup", it.now);
  it.perform(first);
  auto live = it.cluster->status.operation_lock;
  it.cluster->status.operation_lock.reset();  // the view is stale still
  auto said = std::get<controller::wait>(it.secure());
  EXPECT_EQ(said.why.reason, "OperationLockBlocked");
  EXPECT_TRUE(said.asks.empty());
  EXPECT_EQ(live->holder, "openbaocluster/backup");
}

/// As long as the holder works, without an end.
TEST(OperationLock, IsWaitedForWhileItsHolderWorks) {
  scene it;
  it.lock("Upgrade", "openbaocluster/upgrade", it.now - 1min);
  auto said = std::get<controller::wait>(it.secure());
  EXPECT_FALSE(said.at_most);
  EXPECT_NE(said.why.message.find("openbaocluster/upgrade"), std::string::npos);
}

TEST(OperationLock, OfASilentHolderIsWaitedForWithALimitAndNamesTheCommand) {
  scene it;
  it.lock("Backup", "openbaocluster/backup", it.now - 6min);
  auto said = std::get<controller::wait>(it.secure());
  EXPECT_EQ(said.at_most, 15min);
  EXPECT_NE(said.why.message.find("kubectl --namespace team patch openbaocluster vault --subresource=status"), std::string::npos);
  EXPECT_EQ(it.cluster->status.operation_lock->holder, "openbaocluster/backup") << "silence is no proof";
}

TEST(OperationLock, IsOverriddenOnlyWithForceAndSaysSoInTheSameWrite) {
  scene it;
  it.lock("Backup", "openbaocluster/backup", it.now);
  it.wanted->spec.override_operation_lock = true;
  EXPECT_TRUE(it.take().starts_with("OperationLockBlocked")) << "without force it does nothing";
  it.wanted->spec.force = true;
  EXPECT_EQ(it.take(), "");
  EXPECT_EQ(it.cluster->status.operation_lock->holder, "openbaorestore/back");
  EXPECT_EQ(it.cluster->status.operation_lock->message, "restore team/back, in place of Backup by openbaocluster/backup");
  it.commit();
  it.run.secured = std::get<controller::secured>(it.secure()).note;
  auto conditions = report(it.view(), it.run).at(0).fragment.conditions;
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_EQ(conditions[1].type, "OperationLockOverride");
  EXPECT_EQ(conditions[1].reason, "OperationLockOverridden");
}

/// A6.4: upstream's next status write drops the condition, so that a Completed restore does not say whose lock it took away.
TEST(OperationLock, ThatWasTakenAwayIsReportedToTheEnd) {
  scene it;
  it.lock("Backup", "openbaocluster/backup", it.now);
  it.wanted->spec.force = it.wanted->spec.override_operation_lock = true;
  ASSERT_EQ(it.take(), "");
  it.run.secured.reset(), it.answers.clear();  // a crash, before the run was recorded
  ASSERT_EQ(it.take(), "");
  auto says = [&] {
    auto conditions = report(it.view(), it.run).at(0).fragment.conditions;
    auto found = std::ranges::find(conditions, "OperationLockOverride", &condition_fragment::type);
    return found == conditions.end() ? "" : found->status + " " + found->message;
  };
  auto const expected = "True The operation lock was taken from openbaocluster/backup, which held it for Backup.";
  it.commit();
  EXPECT_EQ(says(), expected);
  it.run.stage = run_stage::Created, it.now += 61s;
  for (auto& renewal : restore_plan.keep(it.view(), it.run)) it.perform(renewal);
  EXPECT_TRUE(it.cluster->status.operation_lock->message.ends_with("in place of Backup by openbaocluster/backup"));
  EXPECT_EQ(says(), expected);
  it.claim();
  it.end(0, R"({"digest":"sha256:d","size":7,"voters":"healthy"})");
  EXPECT_EQ(says(), expected);
  it.run.stage = run_stage::FollowThroughComplete, it.run.finished_at = it.now;
  EXPECT_EQ(it.is().phase, bao_phase::Completed);
  EXPECT_EQ(says(), expected);
}

TEST(OperationLock, OfAnotherRestoreIsNeverOverridden) {
  scene it;
  it.add("other", "u2");
  it.lock("Restore", "openbaorestore/other", it.now - 24h);
  it.wanted->spec.force = it.wanted->spec.override_operation_lock = true;
  EXPECT_TRUE(it.take().starts_with("OperationLockBlocked"));
}

/// A6.5: a restore that is over, or was deleted by force, does not keep its lock.
TEST(OperationLock, OfARestoreThatIsOverIsTakenOverOnceNoPodOfItRuns) {
  scene it;
  auto& other = it.add("other", "u2");
  other.status.phase = bao_phase::Failed;
  it.lock("Restore", "openbaorestore/other", it.now - 24h);
  auto& left = it.add_job("restore-other", "other");
  EXPECT_TRUE(it.take().starts_with("PreviousJobRuns"));
  left.status.pods_gone = true;
  EXPECT_EQ(it.take(), "");
}

TEST(OperationLock, OfADeletedRestoreIsTakenOverAfterALiveReadOnly) {
  scene it;
  it.lock("Restore", "openbaorestore/gone", it.now - 24h);
  EXPECT_TRUE(it.take().starts_with("OperationLockBlocked")) << "absence from the view is no proof";
  auto ask = std::get<controller::wait>(it.secure()).asks.at(0);
  it.answers["read-object " + ask.key] = {.code = answer_code::NotFound};
  EXPECT_EQ(it.take(), "");
}

/// The holder has no uid in it: a restore of the same name inherits the lock, but not the cluster while the first one's Job runs.
TEST(OperationLock, OfTheSameNameWaitsForTheJobOfTheDeletedOne) {
  scene it;
  it.lock("Restore", "openbaorestore/back", it.now);
  it.add_job("restore-back-of-before", "back");
  EXPECT_TRUE(it.take().starts_with("PreviousJobRuns"));
}

/// A6.10.
TEST(OperationLock, IsRenewedOnceAMinuteAndKeepsItsBeginning) {
  scene it;
  ASSERT_EQ(it.take(), "");
  it.commit();
  auto begun = it.cluster->status.operation_lock->acquired_at;
  EXPECT_TRUE(restore_plan.keep(it.view(), it.run).empty());
  it.now += 61s;
  auto asks = restore_plan.keep(it.view(), it.run);
  ASSERT_EQ(asks.size(), 1u);
  it.perform(asks[0]);
  EXPECT_EQ(it.cluster->status.operation_lock->renewed_at, it.now);
  EXPECT_EQ(it.cluster->status.operation_lock->acquired_at, begun);
}

/// A6.9: a write that was made of a cached object must not replace what another one has written since.
TEST(OperationLock, OfAnotherIsNeverReplacedByARenewalOrAReleaseOfAStaleView) {
  scene it;
  ASSERT_EQ(it.take(), "");
  it.commit();
  it.now += 61s;
  auto renewal = restore_plan.keep(it.view(), it.run);
  it.end(3, R"({"message":"No leader."})");
  auto release = follow(it.view(), it.run).asks;
  it.lock("Backup", "openbaocluster/backup", it.now);
  for (auto& asks : {renewal, release}) {
    ASSERT_EQ(asks.size(), 1u);
    EXPECT_EQ(std::get<swap_status>(std::get<gateway_command>(asks[0].what)).path, std::vector<std::string>{"operationLock"});
    it.perform(asks[0]);
    ASSERT_TRUE(it.cluster->status.operation_lock);
    EXPECT_EQ(it.cluster->status.operation_lock->holder, "openbaocluster/backup");
  }
  EXPECT_TRUE(follow(it.view(), it.run).is_done());
}

TEST(OperationLock, ThatWasLostIsNotTakenBackAfterTheCommit) {
  scene it;
  ASSERT_EQ(it.take(), "");
  it.commit();
  it.lock("Backup", "openbaocluster/backup", it.now);
  it.now += 61s;
  EXPECT_TRUE(restore_plan.keep(it.view(), it.run).empty());
  it.end(0, "{}");
  for (auto& each : follow(it.view(), it.run).asks) it.perform(each);
  EXPECT_EQ(it.cluster->status.operation_lock->holder, "openbaocluster/backup");
}

TEST(OperationLock, IsReleasedAfterTheEndAndOnlyIfItIsOurs) {
  scene it;
  ASSERT_EQ(it.take(), "");
  it.end(3, R"({"message":"No leader."})");
  auto left = follow(it.view(), it.run);
  ASSERT_EQ(left.asks.size(), 1u);
  it.perform(left.asks[0]);
  EXPECT_FALSE(it.cluster->status.operation_lock);
  EXPECT_TRUE(follow(it.view(), it.run).is_done());
}

/// A restore that never had the lease may see the lock of its predecessor of the same name.
TEST(OperationLock, OfAnEarlierRestoreOfThatNameIsNotReleasedByOneThatNeverBegan) {
  scene it;
  it.lock("Restore", "openbaorestore/back", it.now);
  it.hold_lease("restore-back-of-before");
  it.run.plan = it.planned();
  it.run.stage = run_stage::TerminalObserved, it.run.outcome = run_outcome::Failed;
  EXPECT_TRUE(follow(it.view(), it.run).is_done());
  EXPECT_TRUE(it.cluster->status.operation_lock);
}

}  // namespace
}  // namespace kopiur::openbao
