#include <algorithm>

#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;
using namespace std::chrono_literals;

/// A database with hooks, and its Backup, whose run the bus has lost while it was active.
class Unquiesce : public ::testing::Test {
 protected:
  Unquiesce() {
    it.can.pods = true, it.objects.listed = true;
    put_config(R"(,"afterSnapshot":[{"httpRequest":{"url":"http://db/thaw"}}])");
    it.put_claim("data");
    put_backup(R"("phase":"Pending",)");
  }
  void put_config(std::string const& after, std::string const& copy = "Direct") {
    it.put("BackupConfig", "db", "",
           R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}],"copyMethod":")" + copy +
               R"(","hooks":{"beforeSnapshot":[{"httpRequest":{"url":"http://db/freeze"}}])" + after + "}}");
  }
  void put_backup(std::string const& status, std::string const& metadata = "") {
    it.put("Backup", "b", R"("finalizers":["kopiur.home-operations.com/snapshot-cleanup"])" + metadata,
           R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/data"},"status":{)" + status +
               R"("resolved":{"deletionPolicy":"Delete"}})");
  }
  static constexpr char const* deleted = R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")";

  std::string run_of_backup() const { return backup_run_id(it.look(), *controller::find(it.objects.of<backup>(), "prod", "b")); }
  /// The plans of the runs that a reconcile of the Backup orders, in order.
  std::vector<std::string> ordered() {
    std::vector<std::string> plans;
    for (auto& each : it.reconcile_it("Backup", "b").orders) {
      plans.push_back(each.order.plan);
      it.runs[each.id] = {.run = each.id, .cluster = "c", .order = each.order, .ordered_at = it.now, .changed_at = it.now};
    }
    return plans;
  }
  preparation prepare() const { return it.prepare_it("unquiesce", "BackupConfig", "db"); }
  void put_mover(bool started) {
    job one{.run = run_of_backup(), .attempt = 1, .namespace_ = "prod"};
    if (started) one.status.started_at = it.now;
    it.objects.of<job>()[{"prod", one.run + "-1"}] = std::move(one);
  }
  scene it;
};
using plans = std::vector<std::string>;

TEST_F(Unquiesce, IsOrderedBeforeTheRunIsMadeAgain) {
  EXPECT_EQ(ordered(), (plans{"unquiesce", "backup"}));
  EXPECT_EQ(ordered(), plans{}) << "once";
}

TEST_F(Unquiesce, IsOrderedThoughTheRunIsThereAgainAndHasNoPlanYet) {
  it.runs[run_of_backup()] = {.run = run_of_backup(), .cluster = "c", .order = {.plan = "backup"}};
  EXPECT_EQ(ordered(), plans{"unquiesce"});
}

/// Its finalizer blocks the deletion until that is recorded.
TEST_F(Unquiesce, IsOrderedForABackupThatIsBeingDeleted) {
  put_backup(R"("phase":"Deleting",)", deleted);
  EXPECT_EQ(ordered(), plans{"unquiesce"});
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), std::vector<std::string>{"patch-metadata -snapshot-cleanup"});
}

TEST_F(Unquiesce, IsNotOrderedWhereNothingCanRest) {
  for (auto* status : {R"("phase":"Succeeded",)", R"("phase":"Failed",)"}) {
    put_backup(status);
    EXPECT_FALSE(unquiesce_for(it.look(), *controller::find(it.objects.of<backup>(), "prod", "b"))) << status;
  }
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/data"})");
  EXPECT_EQ(ordered(), plans{"backup"}) << "it never had a plan";
}

TEST_F(Unquiesce, IsNotOrderedWithoutHooksThatLetGo) {
  put_config("");
  EXPECT_EQ(ordered(), plans{"backup"});
}

TEST_F(Unquiesce, RunsTheHooksAfterAlone) {
  auto said = prepare();
  auto* plan = std::get_if<ready>(&said);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->plan.before.empty());
  EXPECT_EQ(plan->plan.after.size(), 1U);
  ASSERT_EQ(plan->plan.leases.size(), 1U);
  EXPECT_EQ(plan->plan.leases[0].key, "application/c/prod/db") << "never beside a run that reads";
}

TEST_F(Unquiesce, WaitsForAMoverThatStillReadsWhatRests) {
  put_mover(true);
  EXPECT_EQ(said(prepare()), "wait MoverReads");
  put_config(R"(,"afterSnapshot":[{"httpRequest":{"url":"http://db/thaw"}}])", "Snapshot");
  EXPECT_EQ(said(prepare()), "ready") << "it reads a copy, which is made";
  put_mover(false);
  EXPECT_EQ(said(prepare()), "wait MoverReads") << "which may not be made yet";
  it.objects.of<job>().begin()->second.status.pods_gone = true;
  EXPECT_EQ(said(prepare()), "ready");
}

TEST_F(Unquiesce, StopsAMoverThatReadsForABackupThatIsBeingDeleted) {
  put_backup("", deleted);
  put_mover(true);
  auto said = prepare();
  auto* held = std::get_if<wait>(&said);
  ASSERT_TRUE(held);
  ASSERT_EQ(held->asks.size(), 1U);
  EXPECT_EQ(held->asks[0].key, run_of_backup() + "-1");
}

TEST_F(Unquiesce, SaysThatARecipeIsGone) {
  it.take_away("BackupConfig", "db");
  EXPECT_EQ(said(prepare()), "refused InvalidWork");
}

}  // namespace
}  // namespace kopiur::plans
