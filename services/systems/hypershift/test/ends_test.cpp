#include <gtest/gtest.h>

#include "services/systems/hypershift/finished.hpp"
#include "services/systems/hypershift/metrics.hpp"
#include "services/systems/hypershift/reconcile.hpp"
#include "services/systems/hypershift/test/scene.hpp"

/// What an object says, what others are told, and what becomes of the object.
namespace kopiur::hypershift {
namespace {

using namespace test;

TEST(EtcdBackup, IsCompletedOnlyAtItsEndAndWithAUrl) {
  scene it;
  EXPECT_EQ(it.condition().reason, "BackupInProgress");
  it.end(run_outcome::Succeeded, "s3://snapshots/prod/1.db\n");
  it.run.stage = run_stage::TerminalObserved;
  EXPECT_EQ(it.condition().status, "False") << "what was granted may still exist";
  it.run.stage = run_stage::FollowThroughComplete;
  EXPECT_EQ(it.condition().status, "True");
  EXPECT_EQ(it.condition().reason, "BackupSucceeded");
  EXPECT_EQ(it.status().text("snapshotURL"), "s3://snapshots/prod/1.db");
  EXPECT_EQ(it.status().text("encryptionMetadata.kmsEncryption"), "Disabled");
  it.end(run_outcome::Succeeded, " \n");
  EXPECT_EQ(it.condition().reason, "BackupFailed") << "an empty URL is no success (B6.17)";
}

TEST(EtcdBackup, SaysWhyItEndedInTheWordsOfItsKind) {
  scene it;
  it.end(run_outcome::Failed, "");
  it.run.failure = run_failure{.class_ = failure_class::LeaseTaken, .message = "Another one."};
  EXPECT_EQ(it.condition().reason, "BackupAlreadyInProgress");
  EXPECT_EQ(it.condition().message, "Another backup of the etcd in clusters-prod is in progress: make a new object when it has ended.");
  it.run.failure =
      run_failure{.class_ = failure_class::ContainerFailed, .message = "The container upload failed.", .stderr_tail = "Access denied."};
  EXPECT_EQ(it.condition().reason, "BackupFailed");
  EXPECT_EQ(it.condition().message, "The container upload failed. Access denied.");
}

swap_status const& swap_in(std::vector<controller::ask> const& asks) {
  return std::get<swap_status>(std::get<gateway_command>(asks.at(0).what));
}

/// One after the other: that it has begun, the URL, how it ended.
TEST(EtcdBackup, TellsControlPlaneAndHostedClusterBeforeItIsCompleted) {
  scene it;
  it.end(run_outcome::Succeeded, "s3://snapshots/prod/1.db");
  auto next = [&] { return pass_on(it.view(), it.run).asks; };
  auto done = [&](std::string const& what) { it.say("swap-status " + it.run.run + "-" + what, {}); };
  EXPECT_EQ(swap_in(next()).object.name, "prod");
  EXPECT_EQ(swap_in(next()).object.kind, "HostedControlPlane");
  EXPECT_EQ(swap_in(next()).path, (std::vector<std::string>{"conditions", "type=EtcdBackupSucceeded"}));
  EXPECT_EQ(swap_in(next()).set.text("reason"), "BackupInProgress");
  done("begun");
  EXPECT_EQ(swap_in(next()).object.namespace_, "clusters");
  EXPECT_EQ(swap_in(next()).set, json::value("s3://snapshots/prod/1.db"));
  done("url");
  EXPECT_EQ(swap_in(next()).set.text("status"), "True");
  EXPECT_EQ(swap_in(next()).set.text("reason"), "BackupSucceeded");
  it.say("swap-status " + it.run.run + "-ended", {.code = answer_code::Unavailable});
  EXPECT_FALSE(next().empty()) << "it is tried again";
  it.now += 61s;
  EXPECT_TRUE(next().empty()) << "the backup exists whatever the others say";
  it.now -= 61s, done("ended");
  EXPECT_TRUE(next().empty());
}

TEST(EtcdBackup, TellsTheControlPlaneThatItFailed) {
  scene it;
  it.end(run_outcome::Failed, "");
  it.run.failure = run_failure{.class_ = failure_class::ContainerFailed, .message = "The container upload failed."};
  it.say("swap-status " + it.run.run + "-begun", {});
  auto says = swap_in(pass_on(it.view(), it.run).asks).set;
  EXPECT_EQ(says.text("status"), "False");
  EXPECT_EQ(says.text("reason"), "BackupFailed");
  EXPECT_EQ(says.text("message"), "The container upload failed.");
  it.run.attempt = 0;
  EXPECT_TRUE(pass_on(it.view(), it.run).is_done()) << "nothing was begun (spec/etcd-backup.md, corrections)";
}

TEST(EtcdBackup, TellsTheControlPlaneOnceThatItHasBegun) {
  scene it;
  it.run.stage = run_stage::Created, it.run.attempt = 1;
  it.runs[it.run.run] = it.run;
  auto asks = [&] { return reconcile(it.view(), controller::ref_of(*it.request)).asks; };
  EXPECT_EQ(swap_in(asks()).set.text("reason"), "BackupInProgress");
  it.say("swap-status", {});
  EXPECT_TRUE(asks().empty());
}

TEST(EtcdBackup, RecordsOneEventAtItsEnd) {
  scene it;
  auto asks = [&] { return it.runs[it.run.run] = it.run, reconcile(it.view(), controller::ref_of(*it.request)).asks; };
  EXPECT_TRUE(asks().empty());
  it.end(run_outcome::Succeeded, "s3://snapshots/prod/1.db");
  ASSERT_EQ(asks().size(), 1u);
  auto event = std::get<record_event>(std::get<gateway_command>(asks()[0].what));
  EXPECT_EQ(event.type + " " + event.reason, "Normal BackupSucceeded");
  it.say("record-event", {});
  EXPECT_TRUE(asks().empty());
  it.answers.erase("record-event"), it.now += 11min;
  EXPECT_TRUE(asks().empty()) << "its answer may be gone: that is long ago";
}

/// Sharded etcd (B6.14), and a cluster in which kopiur may not run commands in pods (D11).
TEST(EtcdBackup, SaysWhatIsNotInItAndWhatWasNotChecked) {
  scene it;
  auto& plane = it.objects.of<hosted_control_plane>().begin()->second;
  plane.spec.etcd = {.management_type = "Managed", .managed = managed_etcd{{{"events"}, {"leases"}}}};
  it.say("exec-in-pod", {.code = answer_code::Forbidden});
  it.run.plan = it.planned();
  it.end(run_outcome::Succeeded, "s3://snapshots/prod/1.db");
  EXPECT_EQ(
      it.condition().message,
      "The snapshot is at s3://snapshots/prod/1.db. Of etcd's health only the readiness of its members was checked: kopiur may not run "
      "commands in pods of clusters-prod. Not in this snapshot: what is in etcd-events, etcd-leases.");
}

/// D15: HyperShift's operator has the kind, and runs.
TEST(EtcdBackup, LeavesAKindAloneThatHyperShiftServes) {
  scene it;
  auto ref = controller::ref_of(add_shipped(it, "theirs"));
  EXPECT_EQ(reconcile(it.view(), ref).orders.size(), 1u);
  it.objects.presences.erase("HCPEtcdBackup");
  EXPECT_TRUE(reconcile(it.view(), ref).orders.empty()) << "who serves it is not known";
  EXPECT_TRUE(reconcile(it.view(), ref).asks.empty());
  it.objects.presences["HCPEtcdBackup"] = kind_presence::OfAnother;
  auto needs = reconcile(it.view(), ref);
  EXPECT_TRUE(needs.orders.empty());
  ASSERT_EQ(needs.asks.size(), 1u);
  EXPECT_EQ(std::get<record_event>(std::get<gateway_command>(needs.asks[0].what)).reason, "ServedByHyperShift");
  it.run.order.object = ref;
  EXPECT_TRUE(report(it.view(), it.run).empty()) << "its operator writes the status";
  EXPECT_EQ(reconcile(it.view(), controller::ref_of(*it.request)).orders.size(), 1u) << "EtcdBackup is kopiur's";
}

/// B6.16: failed ones stay for a user to read; they hold nothing.
TEST(EtcdBackup, OnlyThoseThatSucceededAndAreOursAreEverPruned) {
  scene it;
  auto end = [&](std::string const& name, condition_status status, std::string reason, instant created) {
    add_shipped(it, name, created).status.conditions = {
        {.type = "BackupCompleted", .status = status, .reason = std::move(reason), .message = {}}};
  };
  end("newer", condition_status::True, "BackupSucceeded", it.now);
  end("older", condition_status::True, "BackupSucceeded", it.now - 1h);
  end("failed", condition_status::False, "BackupFailed", it.now - 2h);
  end("running", condition_status::False, "BackupInProgress", it.now - 2h);
  end("deleted", condition_status::True, "BackupSucceeded", it.now - 3h);
  it.objects.of<hcp_etcd_backup>()[{"clusters-prod", "deleted"}].metadata.deletion_timestamp = it.now;
  auto names = [&](char const* kind) {
    std::vector<std::string> all;
    for (auto& each : finished(it.objects, kind, "clusters-prod")) all.push_back(each.name);
    return all;
  };
  EXPECT_EQ(names("HCPEtcdBackup"), (std::vector<std::string>{"older", "newer"}));
  EXPECT_TRUE(names("EtcdBackup").empty());
  EXPECT_TRUE(names("Backup").empty());
  it.objects.presences["HCPEtcdBackup"] = kind_presence::OfAnother;
  EXPECT_TRUE(names("HCPEtcdBackup").empty());
}

TEST(EtcdBackup, IsMeasured) {
  scene it;
  it.request->status.conditions = {{.type = "BackupCompleted", .status = condition_status::True, .last_transition_time = it.now}};
  metrics::registry seen;
  measure(it.objects, seen);
  it.end(run_outcome::Succeeded, "s3://snapshots/prod/1.db");
  it.run.finished_at = it.run.ordered_at + 30s;
  count(run_finished{run_outcome::Succeeded}, it.run, seen);
  count(run_observed{run_outcome::Succeeded}, it.run, seen);
  it.end(run_outcome::Failed, "");
  count(run_finished{run_outcome::Failed}, it.run, seen);
  auto text = seen.text();
  for (auto* line : {"kopiur_etcd_backup_last_success_timestamp_seconds{namespace=\"clusters-prod\"} 1000000",
                     "kopiur_etcd_backup_duration_seconds_sum{namespace=\"clusters-prod\"} 30",
                     "kopiur_etcd_backup_duration_seconds_count{namespace=\"clusters-prod\"} 1",
                     "kopiur_etcd_backup_failures_total{namespace=\"clusters-prod\",reason=\"BackupFailed\"} 1"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
}

TEST(EtcdBackup, IsOrderedOnceAndNeverAgainOnceItIsOver) {
  scene it;
  auto orders = [&] { return reconcile(it.view(), controller::ref_of(*it.request)).orders.size(); };
  EXPECT_EQ(orders(), 1u);
  it.runs[it.run.run] = it.run;
  EXPECT_EQ(orders(), 0u);
  it.runs.clear();
  auto ended_as = [&](condition_status status, std::string reason) {
    it.request->status.conditions = {{.type = "BackupCompleted", .status = status, .reason = std::move(reason)}};
    return orders();
  };
  EXPECT_EQ(ended_as(condition_status::True, "BackupSucceeded"), 0u) << "the bus was lost";
  EXPECT_EQ(ended_as(condition_status::False, "BackupFailed"), 0u);
  EXPECT_EQ(ended_as(condition_status::False, "BackupAlreadyInProgress"), 0u);
  EXPECT_EQ(ended_as(condition_status::False, "EtcdUnhealthy"), 1u) << "etcd may recover";
  EXPECT_EQ(ended_as(condition_status::False, "BackupInProgress"), 1u);
}

/// attacks.sh: who may edit a control plane names the HostedCluster of another.
TEST(EtcdBackup, TellsNoHostedClusterWhoseControlPlaneIsElsewhere) {
  scene it;
  it.end(run_outcome::Succeeded, "s3://snapshots/prod/1.db");
  auto& victim = it.objects.of<hosted_cluster>()[{"clusters", "victim"}];
  victim.metadata.name = "victim", victim.metadata.namespace_ = "clusters";
  auto& plane = it.objects.of<hosted_control_plane>().begin()->second;
  plane.metadata.annotations[std::string(annotation::hosted_cluster)] = "clusters/victim";
  it.say("swap-status " + it.run.run + "-begun", {});
  EXPECT_EQ(swap_in(pass_on(it.view(), it.run).asks).object.kind, "HostedControlPlane") << "the URL is told to nobody";
}

}  // namespace
}  // namespace kopiur::hypershift
