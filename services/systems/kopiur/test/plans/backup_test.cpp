#include "services/systems/kopiur/plans/plans.hpp"

#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

/// `import.from` is a directory of the host, or in a cluster a claim of the namespace. It is read in place, with the stated time.
TEST(History, IsAClaimInACluster) {
  scene it;
  it.put_claim("data");
  it.put_config("photos", R"("copyMethod":"Snapshot")");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"},"import":{"at":"2026-01-02T03:00:00Z","from":"old"}})");
  it.can = {.copy = copy_method::Direct, .group = group_by::None, .pods = true};
  EXPECT_EQ(said(it.prepare_it("backup", "Backup", "b")), "wait ClaimMissing");
  it.put_claim("old");
  auto what = it.prepare_it("backup", "Backup", "b");
  ASSERT_EQ(said(what), "ready");
  auto& plan = std::get<ready>(what).plan;
  auto& source = *std::ranges::find(*plan.volumes, "source", &volume_use::name);
  EXPECT_EQ(source.claim_namespace + "/" + source.claim_name + source.host_path, "prod/old");
  EXPECT_FALSE(source.copy);
  auto& task = std::get<snapshot_work>(kopia_of(plan).task);
  EXPECT_EQ(task.source.source_path, "/pvc/data");
  EXPECT_EQ(to_text(task.start_time.value()), "2026-01-02T03:00:00Z");
  EXPECT_EQ(plan.leases.at(0).key, "claim/c/prod/old");
  EXPECT_EQ(plan.resolved->text("pvcName"), "old");
}

TEST(History, OfAFolderIsRefusedInACluster) {
  scene it;
  it.put_claim("data");
  it.put_config("photos");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"},"import":{"at":"2026-01-02T03:00:00Z","from":"/srv/old"}})");
  EXPECT_EQ(said(it.prepare_it("backup", "Backup", "b")), "ready");
  it.can.pods = true;
  auto what = it.prepare_it("backup", "Backup", "b");
  ASSERT_EQ(said(what), "refused InvalidWork");
  EXPECT_NE(std::get<refused>(what).failure.message.find("PersistentVolumeClaim"), std::string::npos);
}

class BackupPlan : public ::testing::Test {
 protected:
  BackupPlan() {
    it.put_config("photos");
    it.put_claim("data");
    it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
  }
  preparation prepared() { return it.prepare_it("backup", "Backup", "b"); }
  scene it;
};

TEST_F(BackupPlan, ReadsALiveVolumeUnderItsClaimsLease) {
  auto what = prepared();
  ASSERT_EQ(said(what), "ready");
  auto& leases = std::get<ready>(what).plan.leases;
  ASSERT_EQ(leases.size(), 2U);
  EXPECT_EQ(leases[0].key, "claim/c/prod/data");
  EXPECT_EQ(leases[0].mode, lease_mode::Shared);
}

TEST_F(BackupPlan, OfACopyHoldsNoLeaseOfTheClaimAndTakesTheCopyAwayWithTheJob) {
  it.put_config("photos", R"("copyMethod":"Snapshot","volumeSnapshotClassName":"fast")");
  EXPECT_EQ(said(prepared()), "refused InvalidWork") << "outside a cluster";
  it.can.pods = true;
  auto what = prepared();
  ASSERT_EQ(said(what), "ready");
  auto& plan = std::get<ready>(what).plan;
  auto source = std::ranges::find(*plan.volumes, "source", &volume_use::name);
  ASSERT_TRUE(source != plan.volumes->end() && source->copy);
  EXPECT_FALSE(source->copy->clone);
  EXPECT_EQ(source->copy->snapshot_class, "fast");
  for (auto& each : plan.leases) EXPECT_FALSE(each.key.starts_with("claim/")) << "nothing reads the claim meanwhile";
  run_state run{.run = "r", .plan = plan, .attempt = 1};
  EXPECT_EQ(std::get<delete_job>(std::get<gateway_command>(remove_job(run, 1).what)).copies, std::vector<std::string>{"source"});
  it.put_config("photos", R"("copyMethod":"Clone")");
  auto clone = prepared();
  ASSERT_EQ(said(clone), "ready");
  EXPECT_TRUE(std::get<ready>(clone).plan.volumes->back().copy->clone);
}

/// Unknown is not empty: only a proven absence delays a Backup.
TEST_F(BackupPlan, OfASnapshotWaitsForItsClassOnceItsAbsenceIsProven) {
  it.can.pods = true;
  it.put_config("photos", R"("copyMethod":"Snapshot","volumeSnapshotClassName":"fast")");
  EXPECT_EQ(said(prepared()), "ready") << "the gateway has not told anything of the kind";
  it.put("VolumeSnapshotClass", "fast", "", R"("driver":"csi")");
  it.know("VolumeSnapshotClass", kind_presence::NotInstalled);
  auto what = prepared();
  ASSERT_EQ(said(what), "wait SnapshotsNotInstalled") << "whatever was mirrored before";
  EXPECT_EQ(std::get<wait>(what).at_most, std::chrono::minutes(15));
  it.know("VolumeSnapshotClass", kind_presence::Listed);
  EXPECT_EQ(said(prepared()), "ready");
  it.take_away("VolumeSnapshotClass", "fast");
  what = prepared();
  ASSERT_EQ(said(what), "wait SnapshotClassMissing");
  EXPECT_TRUE(std::get<wait>(what).why.message.contains("VolumeSnapshotClass fast does not exist, and BackupConfig photos"));
  it.put_config("photos", R"("copyMethod":"Snapshot")");
  EXPECT_EQ(said(prepared()), "ready") << "the driver's default";
  it.put_config("photos", R"("copyMethod":"Clone","volumeSnapshotClassName":"fast")");
  EXPECT_EQ(said(prepared()), "ready") << "a clone needs no class";
  it.know("VolumeSnapshotClass", kind_presence::NotInstalled);
  EXPECT_EQ(said(prepared()), "ready") << "nor the kind";
  it.put_config("photos", R"("copyMethod":"Direct")");
  EXPECT_EQ(said(prepared()), "ready");
}

TEST_F(BackupPlan, RecordsTheNamedClassOfItsSnapshot) {
  it.can.pods = true;
  auto recorded = [&](std::string_view more) {
    it.put_config("photos", more);
    auto what = prepared();
    return std::string(std::get<ready>(what).plan.resolved->text("volumeSnapshotClassName"));
  };
  EXPECT_EQ(recorded(R"("copyMethod":"Snapshot","volumeSnapshotClassName":"fast")"), "fast");
  EXPECT_EQ(recorded(R"("copyMethod":"Snapshot")"), "");
  EXPECT_EQ(recorded(R"("copyMethod":"Clone","volumeSnapshotClassName":"fast")"), "") << "a clone has none";
}

TEST_F(BackupPlan, FinalizerAndLabelsAreOneWrite) {
  auto needs = it.reconcile_it("Backup", "b");
  ASSERT_EQ(asked(needs), std::vector<std::string>{"patch-metadata +snapshot-cleanup"});
  auto& patch = std::get<patch_metadata>(std::get<gateway_command>(needs.asks[0].what));
  EXPECT_EQ(patch.labels.at(std::string(label::repository)), "nas");
  EXPECT_EQ(patch.labels.at(std::string(label::backup_config)), "photos");
  EXPECT_EQ(patch.labels.at(std::string(label::identity_hash)), rules::identity_hash({"photos", "prod", "/pvc/data"}));
  std::string labels;
  for (auto& [name, text] : patch.labels) labels += (labels.empty() ? "" : ",") + ("\"" + name + "\":\"" + text + "\"");
  it.put("Backup", "b", R"("finalizers":["kopiur.home-operations.com/snapshot-cleanup"],"labels":{)" + labels + "}",
         R"("spec":{"configRef":{"name":"photos"}})");
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing);
}

TEST_F(BackupPlan, LabelsOfOneThatIsHeldFromTheStartWaitForItsMover) {
  constexpr auto held = R"("finalizers":["kopiur.home-operations.com/snapshot-cleanup"])";
  it.put("Backup", "b", held, R"("spec":{"configRef":{"name":"photos"}})");
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing);
  it.put("Backup", "b", held, R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Pending"})");
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing);
  it.put("Backup", "b", held, R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Running"})");
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), std::vector<std::string>{"patch-metadata"});
}

/// The labels of an ended Backup follow from its status, whatever its config says now. A finalizer that a user removed is not added again.
TEST_F(BackupPlan, LabelsOfOneThatIsOverSayWhatItCameTo) {
  constexpr auto over =
      R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Succeeded","resolved":{"repository":{"kind":"Repository","name":"former"},)"
      R"("identity":{"username":"u","hostname":"h","sourcePath":"/p"}}})";
  it.put("Backup", "b", R"("finalizers":["kopiur.home-operations.com/snapshot-cleanup"])", over);
  auto needs = it.reconcile_it("Backup", "b");
  ASSERT_EQ(asked(needs), std::vector<std::string>{"patch-metadata"});
  auto& patch = std::get<patch_metadata>(std::get<gateway_command>(needs.asks.at(0).what));
  EXPECT_EQ(patch.labels.at(std::string(label::repository)), "former");
  EXPECT_EQ(patch.labels.at(std::string(label::identity_hash)), rules::identity_hash({"u", "h", "/p"}));
  it.put("Backup", "b", "", over);
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing);
}

constexpr auto hooks = R"("hooks":{"beforeSnapshot":[
  {"workloadExec":{"podSelector":{"matchLabels":{"app":"db"}},"command":["freeze","now"],"timeout":"1500ms"}},
  {"runJob":{"jobSpec":{"template":{}}},"continueOnFailure":true}],
  "afterSnapshot":[{"httpRequest":{"url":"http://db/thaw"}}]})";

TEST_F(BackupPlan, HooksAreWhatTheGatewayCallsInTheirOrder) {
  it.can.pods = true;
  it.put_config("photos", hooks);
  auto plan = std::get<ready>(prepared()).plan;
  ASSERT_EQ(plan.before.size(), 2U);
  auto& exec = std::get<exec_in_pod>(plan.before[0].call);
  EXPECT_EQ(exec.namespace_, "prod") << "never another namespace's pods";
  EXPECT_EQ(exec.command, (std::vector<std::string>{"freeze", "now"}));
  EXPECT_EQ(exec.timeout_seconds, 2) << "never less than asked";
  auto& job = std::get<run_user_job>(plan.before[1].call);
  EXPECT_TRUE(job.name.starts_with("r-before-1-")) << "of the run, so that it is made once: " << job.name;
  EXPECT_TRUE(plan.before[1].continue_on_failure);
  ASSERT_EQ(plan.after.size(), 1U);
  EXPECT_EQ(std::get<call_http>(plan.after[0].call).url, "http://db/thaw");
}

/// conformance.md H2.
TEST_F(BackupPlan, AnApplicationRestsForSecondsWhereACopyIsRead) {
  it.can.pods = true;
  auto rest = [&](std::string more) {
    it.put_config("photos", std::string(hooks) + more);
    auto plan = std::get<ready>(prepared()).plan;
    return std::string(json::to_text(plan.rests)) + " " + (plan.rests_at_most ? to_text(*plan.rests_at_most) : "-");
  };
  EXPECT_EQ(rest(R"(,"copyMethod":"Snapshot")"), "Copied 5m");
  EXPECT_EQ(rest(R"(,"copyMethod":"Clone")"), "Started 5m");
  EXPECT_EQ(rest(R"(,"copyMethod":"Direct")"), "Read -");
  auto bounded = std::string(hooks);
  bounded.insert(bounded.find('{') + 1, R"("quiesceTimeoutSeconds":60,)");
  it.put_config("photos", bounded);
  auto plan = std::get<ready>(prepared()).plan;
  EXPECT_EQ(plan.rests_at_most, std::chrono::seconds(60));
  EXPECT_EQ(std::get<run_user_job>(plan.before[1].call).timeout_seconds, 60) << "no hook takes longer than all may";
  EXPECT_EQ(std::get<call_http>(plan.after[0].call).timeout_seconds, 300);
}

TEST_F(BackupPlan, ARecipeWhoseApplicationsRestWithoutABoundSaysSo) {
  auto bounded = [&] {
    for (auto& claim : it.reconcile_it("BackupConfig", "photos").statuses)
      for (auto& each : claim.fragment.conditions)
        if (each.type == condition_type::rest_bounded) return each.status + " " + each.reason;
    return std::string("absent");
  };
  EXPECT_EQ(bounded(), "absent");
  it.put_config("photos", hooks);
  EXPECT_EQ(bounded(), "False NoQuiesceTimeout");
  it.put_config("photos", std::string(hooks) + R"(,"copyMethod":"Snapshot")");
  EXPECT_EQ(bounded(), "absent");
}

TEST_F(BackupPlan, HooksThatNeedAClusterAreRefusedOutsideOne) {
  it.put_config("photos", hooks);
  EXPECT_EQ(std::get<refused>(prepared()).failure.message,
            "Hooks of the kinds workloadExec and runJob need a cluster; outside one only httpRequest is possible.");
}

TEST_F(BackupPlan, SaysWhichHooksFailed) {
  run_state run{.run = "r", .stage = run_stage::FollowThroughComplete};
  run.order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}};
  run.outcome = run_outcome::Succeeded;
  run.plan = run_plan{};
  auto status_of = [&](std::string_view type) {
    auto told = find_plan("backup")->report(it.look(), run);
    for (auto& each : told.at(0).fragment.conditions)
      if (each.type == type) return each.status + " " + each.reason;
    return std::string("absent");
  };
  EXPECT_EQ(status_of("HooksSucceeded"), "True NoHooks");
  run.plan = run_plan{.before = {{.name = "beforeSnapshot[0]", .call = {}, .continue_on_failure = true}}};
  run.hooks_done = 1;
  EXPECT_EQ(status_of("SourcesQuiesced"), "True HooksRan");
  run.hooks_failed = {"beforeSnapshot[0]"};
  EXPECT_EQ(status_of("SourcesQuiesced"), "False HooksFailed");
  EXPECT_EQ(status_of("HooksSucceeded"), "False HooksFailed");
}

/// If the bus were lost between the end and the thaw, no object would record that the application is frozen.
TEST_F(BackupPlan, IsNotOverBeforeItsApplicationIsLetGo) {
  run_state run{.run = "r", .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}}};
  run.stage = run_stage::TerminalObserved, run.outcome = run_outcome::Succeeded, run.attempt = 1, run.hooks_started = true;
  run.plan = run_plan{.after = {{.name = "afterSnapshot[0]"}}};
  auto phase = [&] { return std::string(find_plan("backup")->report(it.look(), run).at(0).fragment.status.text("phase")); };
  EXPECT_EQ(phase(), "Running");
  run.after_hooks_done = 1;
  EXPECT_EQ(phase(), "Succeeded");
}

/// A replica of the scheduler that has not seen the end of a slot's Backup orders its run again. The status of the first run stays, or its
/// snapshot would have no owner.
TEST_F(BackupPlan, WhatItsStatusSaysIsNotUndoneByARunThatIsMadeAgain) {
  auto tell = [&](std::string const& status) {
    it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"},"sourcePath":"/pvc/data"},"status":)" + status);
  };
  run_state run{.run = "r", .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}}};
  auto report = [&] { return find_plan("backup")->report(it.look(), run).size(); };
  for (auto* status : {R"({"phase":"Succeeded"})", R"({"phase":"Held"})", R"({"phase":"Failed","failure":{"message":"no key"}})"}) {
    tell(status);
    run.stage = run_stage::Prepared, run.outcome.reset(), run.failure.reset();
    EXPECT_TRUE(wants_cancel(it.look(), run)) << status;
    EXPECT_EQ(report(), 0U) << status;
    run.stage = run_stage::FollowThroughComplete, run.outcome = run_outcome::Failed;
    run.failure = run_failure{.class_ = failure_class::Cancelled, .message = "it is over already"};
    EXPECT_EQ(report(), 0U) << status;
    tell(R"({"phase":"Failed","failure":{"message":"it is over already"}})");
    EXPECT_EQ(report(), 1U) << "that is its own word";
  }
}

/// Replicas see the end of an occasion at different times (seed 805898087).
TEST_F(BackupPlan, AMemberOfAnOccasionIsToldAsOverOnceItsRunIs) {
  run_state run{.run = "r", .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}}};
  run.stage = run_stage::TerminalObserved, run.outcome = run_outcome::Succeeded, run.attempt = 1;
  run.plan = run_plan{.occasion = "o"};
  auto phase = [&] { return std::string(find_plan("backup")->report(it.look(), run).at(0).fragment.status.text("phase")); };
  EXPECT_EQ(phase(), "Running");
  run.stage = run_stage::FollowThroughComplete;
  EXPECT_EQ(phase(), "Succeeded");
}

TEST_F(BackupPlan, SucceedsOnlyByARunThatSaved) {
  run_state run{.run = "r", .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}}};
  run.stage = run_stage::FollowThroughComplete;
  auto phase_of = [&](run_outcome outcome) {
    run.outcome = outcome;
    return std::string(find_plan("backup")->report(it.look(), run).at(0).fragment.status.text("phase"));
  };
  EXPECT_EQ(phase_of(run_outcome::Succeeded), "Succeeded");
  EXPECT_EQ(phase_of(run_outcome::Unchanged), "Succeeded");
  EXPECT_EQ(phase_of(run_outcome::Failed), "Failed");
  EXPECT_EQ(phase_of(run_outcome::Unknown), "Failed");
}

/// A run that ends after its Backup was deleted must not hide that protection holds the deletion (seed 20397).
TEST_F(BackupPlan, SaysOfOneThatIsDeletedNotThatItIsReady) {
  run_state run{.run = "r", .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}}};
  run.stage = run_stage::FollowThroughComplete, run.outcome = run_outcome::Succeeded;
  auto says_ready = [&] {
    auto told = find_plan("backup")->report(it.look(), run);
    return std::ranges::any_of(told.at(0).fragment.conditions, [](auto& each) { return each.type == condition_type::ready; });
  };
  EXPECT_TRUE(says_ready());
  it.put("Backup", "b", R"("deletionTimestamp":"2026-03-01T00:00:00Z")", R"("spec":{"configRef":{"name":"photos"}})");
  EXPECT_FALSE(says_ready());
}

/// A Job that waits for a slot costs no write; one that runs, or says why it does not, is reported.
TEST_F(BackupPlan, TellsOfItsJobWhenThereIsSomethingToTell) {
  run_state run{.run = "r", .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}}, .stage = run_stage::Due};
  auto said = [&] {
    auto told = find_plan("backup")->report(it.look(), run);
    return told.empty() ? "nothing" : json::write(told.at(0).fragment);
  };
  EXPECT_EQ(said(), "nothing");
  run.plan = run_plan{}, run.stage = run_stage::Prepared;
  auto before = said();
  run.stage = run_stage::Committed, run.attempt = 1;
  EXPECT_EQ(said(), before);
  run.stage = run_stage::Created;
  EXPECT_EQ(said(), before);
  run.waits = wait_reason{"Unschedulable", "No node has room."};
  EXPECT_NE(said().find(R"("job":{"name":"r-1")"), std::string::npos) << said();
  EXPECT_NE(said().find(R"("phase":"Pending")"), std::string::npos) << said();
  run.waits.reset(), run.started_at = it.now;
  EXPECT_NE(said().find(R"("phase":"Running")"), std::string::npos) << said();
}

/// After a lost bus a Backup of two sources may be listed before its config; it gets no run of its own, which would be refused (seed
/// 20432).
TEST_F(BackupPlan, OrdersNothingBeforeTheClusterIsListed) {
  it.objects.listed = false;
  EXPECT_TRUE(it.reconcile_it("Backup", "b").orders.empty());
  it.objects.listed = true;
  EXPECT_EQ(it.reconcile_it("Backup", "b").orders.size(), 1U);
}

/// A config's status shows without delay that its last Backup was deleted (seed 10511).
TEST_F(BackupPlan, OneThatIsGoneConcernsTheRecipesOfItsNamespace) {
  auto left = affected_by(it.objects, {"Backup", "prod", "often-1", ""}).soon;
  EXPECT_TRUE(std::ranges::any_of(left, [](auto& one) { return one.kind == "BackupConfig" && one.name == "photos"; }));
}

/// If the clock goes back, the run of a recreated schedule may reach a Backup of its predecessor, and must not overwrite its snapshot (seed
/// 10071).
TEST_F(BackupPlan, TakesNoBackupOfAnotherRunForItsOwn) {
  run_state run{.run = "backup-new", .order = {.plan = "backup", .object = {"Backup", "prod", "b", ""}}, .stage = run_stage::Prepared};
  auto put = [&](std::string_view by) {
    it.put("Backup", "b",
           R"("labels":{"kopiur.home-operations.com/run":")" + std::string(by) + R"("},"deletionTimestamp":"2026-03-01T00:00:00Z")",
           R"("spec":{"configRef":{"name":"photos"}})");
  };
  auto* recipe = find_plan("backup");
  put("backup-old");
  EXPECT_EQ(said(recipe->prepare(it.look(), run)), "refused InvalidWork");
  EXPECT_TRUE(recipe->report(it.look(), run).empty());
  EXPECT_FALSE(wants_cancel(it.look(), run));
  put("backup-new");
  EXPECT_EQ(said(recipe->prepare(it.look(), run)), "ready");
  EXPECT_FALSE(recipe->report(it.look(), run).empty());
  EXPECT_TRUE(wants_cancel(it.look(), run));
  run.plan = run_plan{.serves = {{"Backup", "prod", "b", "uid-b"}}};
  EXPECT_TRUE(wants_cancel(it.look(), run));
  it.objects.of<proto::backup>().at({"prod", "b"}).metadata.uid = "uid-of-a-copy";
  it.objects.of<proto::backup>().at({"prod", "b"}).metadata.deletion_timestamp.reset();
  EXPECT_EQ(wants_cancel(it.look(), run).value().why, "Backup b was deleted") << "somebody copied its labels, and its own is gone";
}

/// Otherwise it fails, because it does not name a source (seed 805877683).
TEST_F(BackupPlan, ARunThatWasOrderedBeforeItsRecipeWasSeenYieldsToTheBackupsOfItsSources) {
  it.put_claim("more");
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  auto& backup = it.objects.of<proto::backup>().at({"prod", "b"});
  auto id = backup_run_id(it.look(), backup);
  auto& run = it.runs[id] = {.run = id, .order = {.plan = "backup", .object = controller::ref_of(backup)}};
  run.waits = wait_reason{"ConfigMissing", "Waiting."};
  EXPECT_EQ(wants_cancel(it.look(), run).value().why, "it stands for several sources");
  EXPECT_TRUE(find_plan("backup")->report(it.look(), run).empty());
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), (std::vector<std::string>{"create-object", "create-object"}));
  run.plan = run_plan{};
  EXPECT_FALSE(wants_cancel(it.look(), run)) << "it goes on with the source that it had";
}

/// A Backup can be deleted before it has its finalizer; otherwise its run would freeze the application and wait two days for its status.
TEST_F(BackupPlan, EndsWithItsBackup) {
  run_state run{.run = "r", .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}}, .stage = run_stage::Committed};
  EXPECT_FALSE(wants_cancel(it.look(), run));
  it.take_away("Backup", "b");
  EXPECT_EQ(wants_cancel(it.look(), run).value().why, "Backup b was deleted");
  it.objects.listed = false;
  EXPECT_FALSE(wants_cancel(it.look(), run)) << "what is not seen yet is not gone";
}

/// Security review, H1: a Backup of any namespace could otherwise take the run of another one's slot by a label.
TEST_F(BackupPlan, ALabelAloneMakesNoRunItsOwn) {
  auto put = [&] {
    it.put("Backup", "b", R"("labels":{"kopiur.home-operations.com/run":"backup-theirs"})", R"("spec":{"configRef":{"name":"photos"}})");
    return backup_run_id(it.look(), it.objects.of<proto::backup>().at({"prod", "b"}));
  };
  auto own = put();
  EXPECT_NE(own, "backup-theirs") << "it does not exist yet";
  it.runs["backup-theirs"] = {.run = "backup-theirs", .order = {.plan = "backup", .object = {"Backup", "other", "b", ""}}};
  EXPECT_EQ(put(), own);
  it.runs["backup-theirs"].order.object = {"Backup", "prod", "b", "uid-of-a-former-one"};
  EXPECT_EQ(put(), own);
  it.runs["backup-theirs"].order.object = {"Backup", "prod", "b", ""};
  EXPECT_EQ(put(), "backup-theirs") << "it was ordered for it";
}

/// Otherwise the Backup of all sources never ends if a pin holds the deletion of a saved sibling (seed 10450).
TEST_F(BackupPlan, ASiblingWhoseDeletionIsHeldCountsAsWhatItCameTo) {
  it.put_claim("more");
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  auto put = [&](json::value const& object, std::string const& status) {
    it.put("Backup", object.text("metadata.name"), "",
           R"("spec":{"configRef":{"name":"photos"},"sourcePath":")" + std::string(object.text("spec.sourcePath")) + R"("},"status":)" +
               status);
  };
  std::vector<json::value> siblings;
  for (auto& each : it.reconcile_it("Backup", "b").asks)
    siblings.push_back(std::get<create_object>(std::get<gateway_command>(each.what)).object);
  ASSERT_EQ(siblings.size(), 2U);
  auto now = [&] { return std::string(it.reconcile_it("Backup", "b").statuses.at(0).fragment.status.text("phase")); };
  put(siblings[0], R"({"phase":"Succeeded","snapshot":{"kopiaSnapshotID":"s0"}})");
  put(siblings[1], R"({"phase":"Deleting","snapshot":{"kopiaSnapshotID":"s1"}})");
  EXPECT_EQ(now(), "Succeeded") << "both are saved, and stay so while the deletion is held";
  put(siblings[1], R"({"phase":"Deleting"})");
  EXPECT_EQ(now(), "Failed");
  auto& one = it.objects.of<proto::backup>().at({"prod", std::string(siblings[1].text("metadata.name"))});
  auto id = backup_run_id(it.look(), one);
  it.runs[id] = run_state{.run = id, .stage = run_stage::Created};
  EXPECT_EQ(now(), "Running") << "its mover may still save it";
  it.runs[id].stage = run_stage::FollowThroughComplete;
  EXPECT_EQ(now(), "Failed") << "its run ended without a snapshot";
  it.runs[id].result = kopia_result{.run = id, .outcome = outcome::Succeeded, .snapshot = snapshot_row{.id = "s1"}};
  EXPECT_EQ(now(), "Running") << "its status will show the snapshot (seed 1796074925)";
}

/// A Backup of two sources that is recreated under its name saves again: the snapshots of the first one are not its own.
TEST_F(BackupPlan, MadeAnewTakesNoFormerSiblingsForItsOwn) {
  it.put_claim("more");
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  auto names = [&] {
    std::vector<std::string> made;
    for (auto& each : it.reconcile_it("Backup", "b").asks)
      if (auto* create = std::get_if<create_object>(&std::get<gateway_command>(each.what)))
        made.emplace_back(create->object.text("metadata.name"));
    return made;
  };
  auto former = names();
  ASSERT_EQ(former.size(), 2U);
  for (auto& each : former) it.put("Backup", each, "", R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Succeeded"})");
  EXPECT_EQ(names(), nothing);
  it.objects.of<proto::backup>().at({"prod", "b"}).metadata.uid = "uid-made-again";
  EXPECT_EQ(reconcile(it.look(), {"Backup", "prod", "b", "uid-made-again"}).asks.size(), 2U);
}

/// Otherwise a sibling that a user deleted comes back and stays Pending.
TEST_F(BackupPlan, ASiblingThatWasDeletedDoesNotComeBack) {
  it.put_claim("more");
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  auto tended = it.reconcile_it("Backup", "b");
  ASSERT_EQ(tended.asks.size(), 2U);
  EXPECT_EQ(tended.statuses.at(0).fragment.status.text("phase"), "Pending");
  std::vector<std::pair<std::string, std::string>> made;  // name, run
  for (auto& each : tended.asks) {
    auto object = std::get<create_object>(std::get<gateway_command>(each.what)).object;
    made.emplace_back(object.text("metadata.name"), object.find("metadata")->find("labels")->find(label::run)->as_string()->c_str());
    it.put("Backup", made.back().first, "",
           R"("spec":{"configRef":{"name":"photos"},"sourcePath":")" + std::string(object.text("spec.sourcePath")) +
               R"("},"status":{"phase":"Succeeded","stats":{"sizeBytes":10}})");
  }
  it.runs[made[0].second] = run_state{.run = made[0].second};
  it.take_away("Backup", made[0].first);
  auto status = [&] {
    auto now = it.reconcile_it("Backup", "b");
    EXPECT_EQ(asked(now), nothing);
    return now.statuses.at(0).fragment.status;
  };
  EXPECT_EQ(status().text("phase"), "Failed");
  EXPECT_NE(status().text("failure.message").find(made[0].first + " (deleted)"), std::string::npos);

  it.runs.clear();
  for (auto phase : {backup_phase::Running, backup_phase::Held}) {
    it.objects.of<proto::backup>().at({"prod", "b"}).status.phase = phase;
    EXPECT_EQ(status().text("phase"), "Succeeded") << "nothing is known of the other any more";
  }
  it.put_config("photos");  // of one source
  EXPECT_EQ(status().text("phase"), "Succeeded") << "the siblings are the group, whatever becomes of the config";
  it.take_away("Backup", made[1].first);
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  EXPECT_EQ(status().text("phase"), "Failed") << "none is left";
}

/// The Backup's value, then its config's, then 15 minutes.
TEST_F(BackupPlan, WaitsSoLongForWhatIsMissing) {
  auto patience = [&] {
    auto what = prepared();
    return std::get<wait>(what).at_most;
  };
  it.take_away("PersistentVolumeClaim", "data");
  EXPECT_EQ(patience(), std::chrono::minutes(15));
  it.put_config("photos", R"("failurePolicy":{"preconditionDeadlineSeconds":60})");
  EXPECT_EQ(patience(), std::chrono::seconds(60));
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"},"failurePolicy":{"preconditionDeadlineSeconds":30}})");
  EXPECT_EQ(patience(), std::chrono::seconds(30));
  it.take_away("BackupConfig", "photos");
  EXPECT_EQ(said(prepared()), "wait ConfigMissing");
  EXPECT_EQ(patience(), std::chrono::seconds(30));
}

TEST_F(BackupPlan, WhatAUserHasSuspendedHasNoDeadline) {
  it.put_config("photos", R"("suspend":true)");
  auto what = prepared();
  ASSERT_EQ(said(what), "wait ConfigSuspended");
  EXPECT_FALSE(std::get<wait>(what).at_most);
}

TEST_F(BackupPlan, StoredBeforeTheBoundsOfTimesIsReadAsIfItStatedThem) {
  it.put("Backup", "b", "",
         R"("spec":{"configRef":{"name":"photos"},"failurePolicy":{"activeDeadlineSeconds":9223372036854775807,)"
         R"("podStartDeadlineSeconds":9223372036854775807}})");
  auto what = prepared();
  auto& plan = std::get<ready>(what).plan;
  EXPECT_EQ(plan.deadline, longest::deadline);
  EXPECT_EQ(plan.start_within, duration(longest::pod_start));
}

TEST_F(BackupPlan, TakesFromItsRecipeHowOftenAndForHowLongItIsTried) {
  it.put_config("photos", R"("failurePolicy":{"backoffLimit":5,"activeDeadlineSeconds":600,"podStartDeadlineSeconds":900})");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"},"failurePolicy":{"activeDeadlineSeconds":60}})");
  auto what = prepared();
  auto& plan = std::get<ready>(what).plan;
  EXPECT_EQ(plan.attempts, 6);
  EXPECT_EQ(plan.deadline, std::chrono::seconds(60));
  EXPECT_EQ(plan.start_within, std::chrono::seconds(900));
}

TEST_F(BackupPlan, WaitsWhileItsConfigsManifestIsMissing) {
  it.put_config("photos", "", R"("annotations":{"kopiur.home-operations.com/manifest-missing":"true"})");
  EXPECT_EQ(said(prepared()), "wait ManifestMissing");
}

TEST_F(BackupPlan, IsRefusedWhereAnOlderConfigRecordsTheSameIdentity) {
  it.put("BackupConfig", "elder", R"("labels":{})",
         R"("spec":{"repository":{"name":"nas"},"identity":{"username":"photos"},"sources":[{"pvc":{"name":"data"}}]})");
  auto what = prepared();
  ASSERT_EQ(said(what), "refused InvalidWork");
  EXPECT_NE(std::get<refused>(what).failure.message.find("prod/elder"), std::string::npos);
  it.put("BackupConfig", "elder", "",
         R"("spec":{"repository":{"name":"nas"},"identity":{"username":"photos"},"sources":[{"pvc":{"name":"other"}}]})");
  EXPECT_EQ(said(prepared()), "ready") << "another source is another identity";
}

}  // namespace
}  // namespace kopiur::plans
