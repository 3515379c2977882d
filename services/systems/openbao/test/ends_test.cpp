#include <gtest/gtest.h>

#include "services/systems/openbao/test/scene.hpp"

/// What a restore comes to.
namespace kopiur::openbao {
namespace {

using namespace test;

constexpr char const *healthy = R"({"digest":"sha256:d","size":7,"voters":"healthy"})",
                     *sealed = R"({"digest":"sha256:d","size":7,"voters":"sealed","notHealthy":["vault-1"]})";

bao_phase end_phase(scene& it) {
  it.run.stage = run_stage::FollowThroughComplete, it.run.finished_at = it.now;
  return it.is().phase;
}

TEST(EndOfARestore, IsCompletedWithAResultAClaimAndHealthyVoters) {
  scene it;
  it.claim();
  it.end(0, healthy);
  EXPECT_EQ(it.is().phase, bao_phase::Running) << "the lock is still held";
  EXPECT_EQ(end_phase(it), bao_phase::Completed);
  auto status = it.status();
  EXPECT_EQ(status.text("execution.stage"), "FollowThroughComplete");
  EXPECT_EQ(status.text("execution.terminalResult"), "Succeeded");
  EXPECT_EQ(*status.find("snapshotSize"), json::value(7)) << "A6.15";
  EXPECT_FALSE(status.find("submissionClaim")) << "only the pod that submits writes it";
}

TEST(EndOfARestore, IsNeverCompletedWithoutAClaim) {
  scene it;
  it.end(0, healthy);
  EXPECT_EQ(end_phase(it), bao_phase::Unknown);
}

TEST(EndOfARestore, IsUnknownWhenTheClaimNamesAnotherSnapshot) {
  scene it;
  it.claim("sha256:e");
  it.end(0, healthy);
  EXPECT_EQ(end_phase(it), bao_phase::Unknown);
}

/// Exit statuses 1, 2, 3, 5 and 6 are from before the submission; a claim of another pod of the Job speaks against that.
TEST(EndOfARestore, IsFailedOnlyIfNothingWasSubmittedOrOpenBaoRefused) {
  for (int status : {1, 2, 3, 5, 6, 137}) {
    scene it;
    it.end(status, R"({"message":"why"})");
    EXPECT_EQ(end_phase(it), bao_phase::Failed) << status;
    EXPECT_NE(it.is().message.find("Nothing was submitted to OpenBao. why"), std::string::npos) << it.is().message;
    scene claimed;
    claimed.claim();
    claimed.end(status, "{}");
    EXPECT_EQ(end_phase(claimed), bao_phase::Unknown) << status;
  }
  scene refused;
  refused.claim();
  refused.end(4, R"({"message":"400: bad snapshot"})");
  EXPECT_EQ(end_phase(refused), bao_phase::Failed);
  scene cut;
  cut.claim();
  cut.end(7, R"({"message":"no answer"})");
  EXPECT_EQ(end_phase(cut), bao_phase::Unknown);
}

/// A6.2, A6.3.
TEST(EndOfARestore, IsUnknownWhenItsJobIsMissing) {
  scene it;
  it.lose();
  EXPECT_EQ(end_phase(it), bao_phase::Unknown);
  EXPECT_NE(it.is().message.find("It is not submitted again"), std::string::npos);
}

TEST(EndOfARestore, WaitsForALiveReadOfTheClaim) {
  scene it;
  it.end(0, healthy);
  it.answers.clear();
  auto left = follow(it.view(), it.run);
  ASSERT_EQ(left.asks.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<read_object>(std::get<gateway_command>(left.asks[0].what)));
  auto live = json::parse(R"({"status":{"submissionClaim":{"podUID":"p","digest":"sha256:d","size":7}}})").value();
  it.answers["read-object " + proof_key(it.run)] = {.object = live};
  EXPECT_EQ(end_phase(it), bao_phase::Completed) << "the view has not seen the claim yet";
}

/// The lock is kept until all voters are healthy; a sealed one names the act.
TEST(EndOfARestore, WaitsForUnsealWithTheLockKept) {
  scene it;
  ASSERT_EQ(it.take(), "");
  it.claim();
  it.end(0, sealed);
  auto left = follow(it.view(), it.run);
  EXPECT_TRUE(left.waits);
  ASSERT_EQ(left.asks.size(), 1u);
  auto look = std::get<controller::new_run>(left.asks[0].what);
  EXPECT_EQ(look.order.plan, "openbao-settle");
  EXPECT_EQ(it.is().phase, bao_phase::Running);
  EXPECT_NE(it.is().message.find("WaitingForUnseal"), std::string::npos);
  EXPECT_NE(it.is().message.find("vault-1"), std::string::npos);
  EXPECT_TRUE(it.cluster->status.operation_lock);

  auto& first = it.runs[look.id] = {.run = look.id, .order = look.order};
  EXPECT_TRUE(follow(it.view(), it.run).asks.empty()) << "one look after the other";
  first.stage = run_stage::FollowThroughComplete, first.outcome = run_outcome::Failed;
  auto again = std::get<controller::new_run>(follow(it.view(), it.run).asks.at(0).what);
  EXPECT_NE(again.id, look.id);
  it.runs[again.id] = {.run = again.id, .order = again.order, .stage = run_stage::FollowThroughComplete, .outcome = run_outcome::Succeeded};
  left = follow(it.view(), it.run);
  ASSERT_EQ(left.asks.size(), 1u);
  it.perform(left.asks[0]);
  EXPECT_FALSE(it.cluster->status.operation_lock);
}

/// A6.11: restored nodes serve stale policies and tokens until they are restarted.
TEST(EndOfARestore, RestartsEachVoterOnceWhereTheChartSaysSo) {
  scene it;
  it.can.restart_voters = true;
  it.cluster->spec.replicas = 2;
  it.claim();
  it.end(0, healthy);
  auto show = [&](char const* pod, instant created, char const* ready) {
    auto object = json::parse(R"({"metadata":{"uid":")" + std::string(pod) + to_text(created) + R"(","creationTimestamp":")" +
                              to_text(created) + R"("},"status":{"conditions":[{"type":"Ready","status":")" + ready + R"("}]}})");
    auto key = it.run.run + "-" + pod + "-" + std::to_string(it.now.time_since_epoch() / duration(10s));
    it.answers["read-object " + key] = {.object = object.value()};
  };
  auto deleted = [&] {
    std::string pods;
    for (auto& each : follow(it.view(), it.run).asks)
      if (auto* command = std::get_if<gateway_command>(&each.what))
        if (auto* gone = std::get_if<delete_object>(command)) pods += gone->object.name + " ";
    return pods;
  };
  auto before = it.now - 1h, after = it.now + 5s;
  show("vault-0", before, "True"), show("vault-1", before, "True");
  EXPECT_EQ(deleted(), "vault-1 ") << "one after the other";
  show("vault-1", after, "False");
  EXPECT_EQ(deleted(), "") << "it is not ready yet";
  EXPECT_NE(it.is().message.find("vault-1 was restarted"), std::string::npos) << it.is().message;
  show("vault-1", after, "True");
  EXPECT_EQ(deleted(), "vault-0 ");
  show("vault-0", after, "True");
  auto look = std::get<controller::new_run>(follow(it.view(), it.run).asks.at(0).what);
  EXPECT_EQ(look.order.plan, "openbao-settle") << "all of them have to be healthy again";
  it.runs[look.id] = {.run = look.id, .order = look.order, .stage = run_stage::FollowThroughComplete, .outcome = run_outcome::Succeeded};
  EXPECT_FALSE(follow(it.view(), it.run).waits);
  it.now += 1h;
  EXPECT_EQ(end_phase(it), bao_phase::Completed);
  EXPECT_NE(it.is().message.find("All voters are healthy"), std::string::npos) << "whatever a look would show later: " << it.is().message;
}

TEST(EndOfARestore, StopsWaitingForVotersWhenAUserSaysSo) {
  scene it;
  ASSERT_EQ(it.take(), "");
  it.claim();
  it.end(0, sealed);
  it.wanted->metadata.annotations[std::string(annotation::cancel_run)] = "bob";
  auto left = follow(it.view(), it.run);
  EXPECT_FALSE(left.waits);
  EXPECT_EQ(left.asks.size(), 1u) << "the lock is released";
  EXPECT_EQ(end_phase(it), bao_phase::Completed);
  EXPECT_NE(it.is().message.find("not waited for any longer"), std::string::npos);
}

/// New trap of the corrections, "target cluster deleted while Running": upstream returns the error without end.
TEST(EndOfARestore, ComesThoughTheClusterWasDeleted) {
  scene it;
  it.end(3, R"({"message":"no leader"})");
  it.objects.of<openbao_cluster>().clear();
  EXPECT_TRUE(follow(it.view(), it.run).is_done());
  EXPECT_EQ(end_phase(it), bao_phase::Failed);
}

TEST(EndOfARestore, IsNotDecidedWhileClustersAreUnknown) {
  scene it;
  it.end(3, "{}");
  it.objects.presences["OpenBaoCluster"] = kind_presence::Unknown;
  EXPECT_TRUE(follow(it.view(), it.run).waits);
}

}  // namespace
}  // namespace kopiur::openbao
