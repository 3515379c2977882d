#include "services/mover-orchestration/test/scene.hpp"

/// What a run must hold besides kopiur's leases, and what keeps it from its end.
namespace kopiur::mover_orchestration {
namespace {

wait lock_wait() { return {.why = {"OperationLockBlocked", "It is locked."}, .look_again = {}, .asks = {}, .at_most = {}, .limit = {}}; }

TEST(Secured, IsAskedForUnderTheLeasesAndBeforeTheCommit) {
  scene it;
  it.secures = lock_wait();
  it.settle();
  EXPECT_EQ(it.asked, asks{"acquire"}) << "the leases come first";
  it.grant(it.now + 120s);
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Prepared);
  it.now += 6min;
  it.grant(it.now + 60s);
  it.settle();
  EXPECT_EQ(it.run.waits->reason, "OperationLockBlocked");
  EXPECT_EQ(it.asked, asks{"renew"}) << "the leases are kept meanwhile";
  it.secures = secured{json::value("in place of another")};
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Committed);
  EXPECT_EQ(it.run.secured, json::value("in place of another")) << "in the same fact";
  EXPECT_EQ(it.run.committed_at, it.now);
}

TEST(Secured, ThatIsRefusedEndsTheRunBeforeItActs) {
  scene it;
  it.secures = refused{{.class_ = failure_class::InvalidWork, .message = "It was deleted."}};
  it.settle();
  it.grant(it.now + 120s);
  it.settle();
  EXPECT_EQ(it.run.outcome, run_outcome::Failed);
  EXPECT_EQ(it.run.attempt, 0);
}

TEST(Secured, IsWaitedForNoLongerThanThePlanKindSays) {
  scene it;
  auto limited = lock_wait();
  limited.at_most = 15min;
  it.secures = limited;
  it.settle();
  it.grant(it.now + 1h);
  it.settle();
  it.now += 5min;  // since then users are told why it waits
  it.settle();
  it.now += 14min;
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::Prepared);
  it.now += 2min;
  it.settle();
  ASSERT_TRUE(it.run.failure);
  EXPECT_EQ(it.run.failure->class_, failure_class::PreconditionMissing);
}

/// The time of the whole run would be over before a foreign lock is free.
TEST(Secured, MayTakeAnyTimeIfThePlanSaysSo) {
  for (bool unlimited : {false, true}) {
    scene it;
    auto plan = backup_plan();
    plan.deadline = 40min, plan.waits_unlimited = unlimited;
    it.prepares = ready{plan};
    it.secures = lock_wait();
    it.settle();
    it.now += 24h;
    it.grant(it.now + 120s);
    it.settle();
    EXPECT_EQ(it.run.stage, unlimited ? run_stage::Prepared : run_stage::TerminalObserved);
    if (!unlimited) continue;
    it.secures = secured{};
    it.settle();
    auto& command = std::get<create_job>(std::get<gateway_command>(it.requests.at(0).what));
    EXPECT_EQ(command.deadline_seconds, 2400) << "the act has all of its time";
  }
}

TEST(Secured, IsKeptFromTheCommitToTheEnd) {
  scene it;
  it.secures = secured{};
  it.keeps = std::vector<ask>{{gateway_command{swap_status{}}, "keep"}};
  it.settle();
  EXPECT_EQ(it.asked, asks{"acquire"}) << "nothing is held yet";
  it.start();
  EXPECT_EQ(it.asked, asks{"swap-status"});
  it.finish({.outcome = outcome::Succeeded});
  it.follows = std::vector<ask>{}, it.follow_waits = true;
  it.answers["delete-job.r-1"] = {};
  it.job.reset();
  it.run.stage = run_stage::TerminalObserved, it.run.outcome = run_outcome::Succeeded;
  it.settle();
  EXPECT_EQ(it.asked, asks{"swap-status"});
  EXPECT_EQ(it.run.stage, run_stage::TerminalObserved) << "what follows waits, and the leases stay";
  it.follow_waits = false, it.keeps = std::vector<ask>{};
  it.leases.clear();
  it.settle();
  EXPECT_EQ(it.run.stage, run_stage::FollowThroughComplete);
}

}  // namespace
}  // namespace kopiur::mover_orchestration
