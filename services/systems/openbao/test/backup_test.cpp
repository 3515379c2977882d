#include <gtest/gtest.h>

#include "services/systems/openbao/test/scene.hpp"

/// Backups, and what they say in the status of their cluster.
namespace kopiur::openbao {
namespace {

using namespace test;

bao_cluster_backup backup_by_token(scene const& it) {
  return {.target = it.wanted->spec.source.target, .token_secret_ref = bao_secret_ref{"bao-token"}};
}

/// Lets the gateway do all that a backup asks for at its end, beside the `status.backup` that is there.
void follow_to_the_end(scene& it, json::value& status) {
  for (int limit = 20; limit > 0; --limit) {
    auto asks = backup_plan.follow(it.view(), it.run).asks;
    if (asks.empty()) return;
    auto& command = std::get<gateway_command>(asks[0].what);
    if (std::holds_alternative<record_event>(command)) it.answers["record-event " + asks[0].key] = {};
    auto* write = std::get_if<swap_status>(&command);
    it.perform(asks[0]);
    if (!write || write->path.front() != "backup") continue;
    ASSERT_EQ(write->path.size(), 2u) << "never all of it";
    write->set.is_null() ? void(status.erase(write->path[1])) : void(status.set(write->path[1], write->set));
    it.answers["swap-status " + asks[0].key] = {};
  }
}

TEST(BackupOfOpenBao, IsTakenOnceForEachValueOfItsTrigger) {
  scene it;
  it.cluster->spec.backup = backup_by_token(it);
  auto object = controller::ref_of(*it.cluster);
  EXPECT_TRUE(reconcile(it.view(), object).orders.empty());
  it.cluster->metadata.annotations["openbao.org/trigger-backup"] = "monday";
  auto orders = reconcile(it.view(), object).orders;
  ASSERT_EQ(orders.size(), 1u);
  it.run = {.run = orders[0].id, .cluster = "c", .order = orders[0].order, .ordered_at = it.now};
  auto plan = it.planned();
  EXPECT_FALSE(plan.leases.at(0).wait) << "while a restore works, there is nothing to back up";
  auto& env = std::get<pod_plan>(plan.body).main.env;
  EXPECT_TRUE(env.at("BACKUP_KEY").starts_with("team/vault/2027-01-15T08-00-00Z-")) << env.at("BACKUP_KEY");
  it.hold_lease(it.run.run);
  EXPECT_EQ(it.take(), "");
  EXPECT_EQ(it.cluster->status.operation_lock->holder, "openbaocluster/backup");

  it.end(0, R"({"key":"team/vault/k.snap","size":9})");
  auto status = json::value::make_object();
  follow_to_the_end(it, status);
  EXPECT_EQ(status.text("lastBackupName"), "team/vault/k.snap");
  EXPECT_EQ(status.text("lastHandledManualTrigger"), "monday");
  EXPECT_FALSE(it.cluster->status.operation_lock);
  it.cluster->status.backup = json::decode<bao_backup_status>(status).value();
  EXPECT_TRUE(reconcile(it.view(), object).orders.empty());
}

/// A6.9: what another one has written into the same object stays, though the cache does not show it. A6.15: all of the last backup is told.
TEST(BackupOfOpenBao, WritesOnlyWhatItKnowsIntoTheStatus) {
  scene it;
  it.cluster->spec.backup = backup_by_token(it);
  it.cluster->metadata.annotations["openbao.org/trigger-backup"] = "monday";
  auto order = reconcile(it.view(), controller::ref_of(*it.cluster)).orders.at(0);
  it.run = {.run = order.id, .cluster = "c", .order = order.order, .ordered_at = it.now};
  it.commit();
  it.run.created_at = it.now;
  it.now += 45s;
  it.end(0, R"({"key":"team/vault/k.snap","size":9})");
  auto status = json::parse(R"({"consecutiveFailures":2,"lastFailureReason":"r","lastFailureMessage":"m"})").value();
  follow_to_the_end(it, status);
  EXPECT_EQ(json::dump(status),
            R"({"consecutiveFailures":2,"lastAttemptTime":"2027-01-15T08:00:45Z","lastBackupTime":"2027-01-15T08:00:45Z",)"
            R"("lastBackupName":"team/vault/k.snap","lastBackupSize":9,"lastBackupDuration":"45s","lastHandledManualTrigger":"monday"})");

  it.run.run += "-2";
  it.end(5, R"({"message":"No space."})");
  follow_to_the_end(it, status);
  EXPECT_EQ(status.text("lastBackupName"), "team/vault/k.snap") << "the one that succeeded";
  EXPECT_EQ(status.text("lastFailureReason"), "ContainerFailed");
  EXPECT_EQ(status.text("lastFailureMessage"), "No space.");
}

/// New in the corrections, "preserve a manual trigger made before job creation" (#703).
TEST(BackupOfOpenBao, OfATriggerThatIsSetMeanwhileIsNotForgotten) {
  scene it;
  it.cluster->spec.backup = backup_by_token(it);
  auto object = controller::ref_of(*it.cluster);
  auto& asked = it.cluster->metadata.annotations["openbao.org/trigger-backup"] = "monday";
  auto first = reconcile(it.view(), object).orders.at(0);
  it.run = {.run = first.id, .cluster = "c", .order = first.order, .ordered_at = it.now};
  it.commit();
  it.runs[first.id] = it.run;
  asked = "tuesday";
  auto second = reconcile(it.view(), object).orders.at(0);
  EXPECT_NE(second.id, first.id);
  it.end(0, R"({"key":"team/vault/k.snap","size":9})");
  auto status = json::value::make_object();
  follow_to_the_end(it, status);
  EXPECT_EQ(status.text("lastHandledManualTrigger"), "monday");
  it.cluster->status.backup = json::decode<bao_backup_status>(status).value();
  EXPECT_EQ(reconcile(it.view(), object).orders.at(0).id, second.id);
}

}  // namespace
}  // namespace kopiur::openbao
