#include "services/systems/kopiur/plans/plans.hpp"

#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

TEST(MaintenanceRequest, IsOneRunForEachValue) {
  scene it;
  auto put = [&](std::string_view asked, std::string_view handled, std::string_view metadata = "", std::string_view spec = "",
                 std::string_view more = "") {
    it.put("Maintenance", "m",
           R"("annotations":{"kopiur.home-operations.com/run-maintenance":")" + std::string(asked) + "\"" + std::string(more) + "}" +
               std::string(metadata),
           R"("spec":{"repository":{"name":"nas"})" + std::string(spec) + R"(},"status":{"lastHandledRequest":")" + std::string(handled) +
               R"("})");
  };
  put("full x1", "");
  auto needs = it.reconcile_it("Maintenance", "m");
  ASSERT_EQ(needs.orders.size(), 1U);
  EXPECT_EQ(json::dump(needs.orders[0].order.parameters), R"({"full":true})");
  EXPECT_EQ(needs.statuses.at(0).fragment.status.text("lastHandledRequest"), "full x1");
  put("full x1", "full x1");
  EXPECT_TRUE(it.reconcile_it("Maintenance", "m").orders.empty());
  put("quick x2", "full x1");
  EXPECT_NE(it.reconcile_it("Maintenance", "m").orders.at(0).id, needs.orders[0].id);
  put("quick x2", "full x1", R"(,"deletionTimestamp":"2026-03-01T00:00:00Z")");
  EXPECT_TRUE(it.reconcile_it("Maintenance", "m").orders.empty());
  put("quick x2", "full x1", "", R"(,"suspend":true)");
  EXPECT_TRUE(it.reconcile_it("Maintenance", "m").orders.empty());
  put("quick x2", "full x1", "", "", R"(,"kopiur.home-operations.com/suspended":"x")");
  EXPECT_TRUE(it.reconcile_it("Maintenance", "m").orders.empty());
}

TEST(MaintenanceRun, IsLetGoWhenItsAnnotationSaysSo) {
  scene it;
  run_state run{.run = "r", .order = {.plan = "maintain", .object = {"Maintenance", "prod", "m", "uid-m"}}};
  it.put("Maintenance", "m", "", R"("spec":{"repository":{"name":"nas"}})");
  EXPECT_FALSE(wants_cancel(it.look(), run));
  it.put("Maintenance", "m", R"("annotations":{"kopiur.home-operations.com/skip-snapshot-cleanup":"true"})",
         R"("spec":{"repository":{"name":"nas"}})");
  EXPECT_TRUE(wants_cancel(it.look(), run));
}

/// A run ordered just when the bus lost its data must not be refused because its object is missing (seed 10705).
TEST(MaintenanceRun, WaitsUntilTheClusterIsListed) {
  scene it;
  run_state run{.run = "r", .order = {.plan = "maintain", .object = {"Maintenance", "prod", "m", "uid-m"}}};
  it.objects.listed = false;
  EXPECT_EQ(said(prepare(it.look(), run)), "wait ClusterNotListed");
  it.objects.listed = true;
  EXPECT_EQ(said(prepare(it.look(), run)), "refused InvalidWork");
}

/// A later run that waits must not hide the result of an earlier one from an edited Maintenance (seed 10705).
TEST(MaintenanceRun, TellsOfItsEditedObjectThoughALaterOneWaits) {
  scene it;
  it.put("Maintenance", "m", "", R"("spec":{"repository":{"name":"nas"}})");
  run_state run{.order = {.plan = "maintain", .object = {"Maintenance", "prod", "m", "uid-m"}}, .ordered_at = it.now};
  EXPECT_EQ(last_ended(it.look(), run.order.object), nullptr);
  run.run = "before", run.stage = run_stage::FollowThroughComplete;
  it.runs["before"] = run;
  run.run = "later", run.stage = run_stage::Prepared, run.ordered_at += std::chrono::hours(1);
  it.runs["later"] = run;
  auto* last = last_ended(it.look(), run.order.object);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->run, "before");
}

/// A Maintenance `m` whose run ended, and read `owner` from kopia.
struct owned_scene : scene {
  run_state ended(std::string const& owner, instant time) {
    run_state run{.run = "r", .order = {.plan = "maintain", .object = {"Maintenance", "prod", "m", "uid-m"}}};
    run.stage = run_stage::FollowThroughComplete, run.outcome = run_outcome::Succeeded, run.finished_at = time;
    run.plan = run_plan{.body = kopia_task{.task = maintain_work{.owner = "kopiur@id"}}};
    run.result = kopia_result{.owner = owner};
    return run;
  }
  void put_maintenance(std::string_view ownership = "null") {
    put("Maintenance", "m", "", R"("spec":{"repository":{"name":"nas"}},"status":{"ownership":)" + std::string(ownership) + "}");
  }
  status_fragment report(run_state const& run) { return maintain_plan.report(look(), run).at(0).fragment; }
  static std::string condition_of(status_fragment const& fragment, std::string_view type) {
    for (auto& each : fragment.conditions)
      if (each.type == type) return each.status;
    return "absent";
  }
};
constexpr instant first_end{std::chrono::hours(1)}, later_end{std::chrono::hours(2)};

TEST(Ownership, IsClaimedSinceTheFirstRunAsTheOwner) {
  owned_scene it;
  it.put_maintenance();
  auto fragment = it.report(it.ended("kopiur@id", first_end));
  EXPECT_EQ(fragment.status.text("ownership.claimedAt"), to_text(first_end));
  EXPECT_EQ(it.condition_of(fragment, "OwnershipClaimed"), "True");
  EXPECT_EQ(it.condition_of(fragment, "OwnershipConflict"), "False");
  it.put_maintenance(R"({"owner":"kopiur@id","claimedAt":")" + to_text(first_end) + "\"}");
  EXPECT_EQ(it.report(it.ended("kopiur@id", later_end)).status.text("ownership.claimedAt"), to_text(first_end));
  it.put_maintenance(R"({"owner":"other@host"})");
  EXPECT_EQ(it.report(it.ended("kopiur@id", later_end)).status.text("ownership.claimedAt"), to_text(later_end));
}

TEST(Ownership, OfAnotherIsAConflictThatNamesIt) {
  owned_scene it;
  it.put_maintenance();
  auto fragment = it.report(it.ended("root@laptop", first_end));
  EXPECT_FALSE(fragment.status.at("ownership.claimedAt"));
  EXPECT_EQ(it.condition_of(fragment, "OwnershipClaimed"), "False");
  EXPECT_EQ(it.condition_of(fragment, "OwnershipConflict"), "True");
  EXPECT_NE(fragment.conditions.back().message.find("root@laptop"), std::string::npos);
}

TEST(Ownership, IsNotKnownFromARunThatNeverAskedKopia) {
  owned_scene it;
  it.put_maintenance();
  auto fragment = it.report(it.ended("", first_end));
  EXPECT_FALSE(fragment.status.at("ownership"));
  EXPECT_EQ(it.condition_of(fragment, "OwnershipClaimed"), "absent");
}

/// A user who may write Maintenances in some namespace must not take over, or stop, another namespace's repository.
TEST(MaintenanceRun, OfAStrangerIsRefused) {
  scene it;
  it.put("ClusterRepository", "shared", "",
         R"("spec":{"backend":{"filesystem":{"path":"/srv/shared"}},"encryption":{"passwordSecretRef":{"name":"password","namespace":)"
         R"("vault"}},"allowedNamespaces":{"list":["office"]}},"status":{"phase":"Ready","uniqueID":"id-shared"})");
  it.put("Maintenance", "m", "", R"("spec":{"repository":{"kind":"ClusterRepository","name":"shared"}})");
  auto what = it.prepare_it("maintain", "Maintenance", "m");
  ASSERT_EQ(said(what), "refused AccessDenied");
  EXPECT_NE(std::get<refused>(what).failure.message.find("from namespace vault alone"), std::string::npos);
}

/// It says so before any run of it is due.
TEST(MaintenanceObject, OfATenantSaysThatItDoesNotCount) {
  scene it;
  auto put_shared = [&](std::string const& home) {
    it.put("ClusterRepository", "shared", "",
           R"("spec":{"backend":{"filesystem":{"path":"/srv/shared"}},"encryption":{"passwordSecretRef":{"name":"password","namespace":")" +
               home + R"("}},"allowedNamespaces":{"list":["prod"]}},"status":{"phase":"Ready","uniqueID":"id-shared"})");
  };
  auto said = [&](std::string const& status) {
    it.put("Maintenance", "m", "", R"("spec":{"repository":{"kind":"ClusterRepository","name":"shared"}})" + status);
    auto told = it.reconcile_it("Maintenance", "m").statuses;
    return told.empty() ? "" : told.at(0).fragment.conditions.at(0).status + " " + told.at(0).fragment.conditions.at(0).reason;
  };
  put_shared("vault");
  EXPECT_EQ(said(""), "False NotAllowed");
  put_shared("prod");
  EXPECT_EQ(said(""), "") << "its own: there is nothing to say";
  EXPECT_EQ(said(R"(,"status":{"conditions":[{"type":"Allowed","status":"False","reason":"NotAllowed","message":"x"}]})"), "True Allowed");
}

}  // namespace
}  // namespace kopiur::plans
