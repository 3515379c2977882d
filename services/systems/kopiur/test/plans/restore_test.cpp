#include <algorithm>

#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

class RestorePlan : public ::testing::Test {
 protected:
  RestorePlan() {
    it.put_config("photos");
    it.put_claim("data");
    it.put_saved("b1", "s1", "/pvc/data");
  }
  void put_restore(std::string const& source, std::string const& target = into_existing, std::string_view metadata = "") {
    it.put("Restore", "r1", metadata, R"("spec":{)" + source + (target.empty() ? "" : "," + target) + "}");
  }
  /// With a status that records how far a run has come.
  void put_executed(std::string const& run, std::string const& stage, int attempt, std::string_view phase, std::string_view metadata = "") {
    it.put("Restore", "r1", metadata,
           std::string(R"("spec":{)") + from_photos + "," + into_existing + R"(},"status":{"phase":")" + std::string(phase) +
               R"(","execution":{"runID":")" + run + R"(","stage":")" + stage + R"(","attempt":)" + std::to_string(attempt) + "}}");
  }
  preparation prepared(json::value parameters = {}) { return it.prepare_it("restore", "Restore", "r1", std::move(parameters)); }
  static restore_work task_of(preparation const& what) { return std::get<restore_work>(kopia_of(std::get<ready>(what).plan).task); }

  scene it;
};

TEST_F(RestorePlan, TakesTheConfigsNewestSnapshotOfItsOwnRepository) {
  it.put_saved("a0", "s2", "/pvc/data", "other");
  put_restore(from_photos);
  auto what = prepared();
  ASSERT_EQ(said(what), "ready");
  EXPECT_EQ(task_of(what).snapshot_ID, "s1") << "s2 lies in another repository";
  auto& plan = std::get<ready>(what).plan;
  EXPECT_EQ(plan.class_, plan_class::AtMostOnce);
  EXPECT_EQ(plan.leases.front().key, "claim/c/prod/data");
  EXPECT_EQ(plan.leases.front().mode, lease_mode::Exclusive);
  EXPECT_TRUE(std::ranges::is_sorted(plan.leases, {}, &lease_need::key));
}

/// A user who may read the files during the backup may write them back.
TEST_F(RestorePlan, RunsAsTheRecipesMoversDo) {
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}],"mover":{"podSecurityContext":{"runAsUser":999},)"
         R"("inheritSecurityContextFrom":{"podSelector":{"matchLabels":{"app":"db"}}}}})");
  auto pod = [&](std::string const& source) {
    put_restore(source);
    auto what = prepared();
    return said(what) == "ready" ? json::write(std::get<ready>(what).plan.pod) : said(what);
  };
  EXPECT_EQ(pod(from_photos), R"({"cache":{},"podSecurityContext":{"runAsUser":999},)"
                              R"("inheritSecurityContextFrom":{"podSelector":{"matchLabels":{"app":"db"}}}})");
  EXPECT_EQ(pod(R"("source":{"backupRef":{"name":"b1"}})"), pod(from_photos));
  std::string who = R"("repository":{"name":"nas"},"source":{"identity":{"username":"photos","hostname":"prod","sourcePath":"/pvc/data"}})";
  EXPECT_EQ(pod(who), pod(from_photos)) << "the recipe of that identity";
  EXPECT_EQ(pod(who + R"(,"mover":{"podSecurityContext":{"runAsUser":7}})"), R"({"cache":{},"podSecurityContext":{"runAsUser":7}})")
      << "what the Restore itself says goes before it";
}

TEST_F(RestorePlan, OfADiscoveredBackupGoesToItsRepository) {
  it.put(
      "Backup", "found", "",
      R"("status":{"phase":"Discovered","origin":"discovered","snapshot":{"kopiaSnapshotID":"s9","identity":{"username":"a","hostname":"b","sourcePath":"/c"}},)"
      R"("resolved":{"repository":{"kind":"Repository","name":"nas","namespace":"prod","uniqueID":"id-nas"}}})");
  put_restore(R"("source":{"backupRef":{"name":"found"}})");
  auto what = prepared();
  ASSERT_EQ(said(what), "ready");
  EXPECT_EQ(task_of(what).snapshot_ID, "s9");
}

TEST_F(RestorePlan, OfABackupThatStandsForSeveralSourcesNeedsThePath) {
  it.put("Backup", "all", "", R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Succeeded","origin":"manual"})");
  it.put_saved("all-1", "s3", "/pvc/one", "nas", R"("labels":{"kopiur.home-operations.com/group":"all"})");
  it.put_saved("all-2", "s4", "/pvc/two", "nas", R"("labels":{"kopiur.home-operations.com/group":"all"})");
  put_restore(R"("source":{"backupRef":{"name":"all"}})");
  auto what = prepared();
  ASSERT_EQ(said(what), "refused InvalidWork");
  EXPECT_NE(std::get<refused>(what).failure.message.find("/pvc/one, /pvc/two"), std::string::npos);
  put_restore(R"("source":{"backupRef":{"name":"all","sourcePath":"/pvc/two"}})");
  EXPECT_EQ(task_of(prepared()).snapshot_ID, "s4");
  put_restore(R"("source":{"backupRef":{"name":"b1","sourcePath":"/pvc/other"}})");
  EXPECT_EQ(said(prepared()), "refused InvalidWork");
}

TEST_F(RestorePlan, AClaimThatARestoreOfThisNameFilledIsLeftAlone) {
  it.put_claim("data", R"("annotations":{"kopiur.home-operations.com/restored-by":"r1"})");
  put_restore(from_photos);
  EXPECT_EQ(said(prepared()), "nothing");
  put_restore(from_photos, into_existing, R"("annotations":{"kopiur.home-operations.com/restore-again":"2"})");
  EXPECT_EQ(said(prepared()), "ready");
}

/// The user repeats the restore by an annotation; later the manifest is applied from git without it.
TEST_F(RestorePlan, AppliedWithoutRestoreAgainLeavesWhatRestoreAgainFilled) {
  auto marked =
      std::string(R"("annotations":{"kopiur.home-operations.com/restored-by":"r1","kopiur.home-operations.com/restored-again":"2"})");
  it.put_claim("data", marked);
  for (auto* target : {into_existing, into_new}) {
    put_restore(from_photos, target);
    EXPECT_EQ(said(prepared()), "nothing") << target;
    put_restore(from_photos, target, R"("annotations":{"kopiur.home-operations.com/restore-again":"3"})");
    EXPECT_EQ(said(prepared()), "ready") << target;
  }
}

TEST_F(RestorePlan, MakesAClaimThatASingleNodeWrites) {
  put_restore(from_photos, R"("target":{"pvc":{"name":"fresh","capacity":"1Gi"}})");
  auto what = prepared();
  ASSERT_EQ(said(what), "wait CreatingClaim");
  auto& asked = std::get<create_object>(std::get<gateway_command>(std::get<wait>(what).asks.front().what));
  EXPECT_EQ(json::write(*asked.object.at("spec.accessModes")), R"(["ReadWriteOnce"])");
}

/// Invariant 6: an empty claim could be used by a pod that waits for the data.
TEST_F(RestorePlan, MakesAClaimOnlyForWhatIsKnownToGoIntoIt) {
  it.take_away("Backup", "b1"), it.listed.clear();
  constexpr auto into_fresh = R"("target":{"pvc":{"name":"fresh"}})";
  put_restore(from_photos, into_fresh);
  EXPECT_EQ(said(prepared()), "wait NoSnapshot");
  put_restore(R"("source":{"backupRef":{"name":"b1"}})", into_fresh);
  EXPECT_EQ(said(prepared()), "wait BackupMissing");
  put_restore(R"("source":{"fromConfig":{"name":"photos"}},"policy":{"onMissingSnapshot":"Continue"})", into_fresh);
  EXPECT_EQ(said(prepared()), "wait CreatingClaim") << "the user said so";
}

TEST_F(RestorePlan, OfAPartialSnapshotIsRefusedWithTheWayToIt) {
  it.put("Backup", "part", "",
         R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Failed","origin":"manual",)"
         R"("snapshot":{"kopiaSnapshotID":"s7","identity":{"username":"a","hostname":"b","sourcePath":"/c"}}})");
  put_restore(R"("source":{"backupRef":{"name":"part"}})");
  auto what = prepared();
  ASSERT_EQ(said(what), "refused SnapshotMissing");
  EXPECT_NE(std::get<refused>(what).failure.message.find("snapshotID s7 in spec.source.identity"), std::string::npos);
}

/// `spec.target.pvc` creates a claim: an existing claim of that name has another user's data.
TEST_F(RestorePlan, WritesIntoNoClaimThatItDidNotMake) {
  put_restore(from_photos, into_new);
  auto what = prepared();
  ASSERT_EQ(said(what), "refused InvalidWork");
  EXPECT_NE(std::get<refused>(what).failure.message.find("spec.target.pvcRef"), std::string::npos);
  it.put_claim("data", R"("annotations":{"kopiur.home-operations.com/made-for":"uid-of-another"})");
  EXPECT_EQ(said(prepared()), "refused InvalidWork");
  it.put_claim("data", R"("annotations":{"kopiur.home-operations.com/made-for":"uid-r1"})");
  EXPECT_EQ(said(prepared()), "ready");
  it.put_claim("data", R"("annotations":{"kopiur.home-operations.com/restored-by":"r1"})");
  EXPECT_EQ(said(prepared()), "nothing") << "made again from the same manifest";
}

TEST_F(RestorePlan, IsStoppedWhenItIsDeleted) {
  put_restore(from_photos);
  run_state run{.run = "r", .order = {.plan = "restore", .object = {"Restore", "prod", "r1", "uid-r1"}}};
  EXPECT_FALSE(wants_cancel(it.look(), run));
  it.take_away("Restore", "r1");
  it.objects.listed = false;
  EXPECT_FALSE(wants_cancel(it.look(), run)) << "a mirror that is not complete proves nothing";
  it.objects.listed = true;
  EXPECT_EQ(wants_cancel(it.look(), run).value().why, "Restore r1 was deleted");
  put_restore(from_photos);
  EXPECT_FALSE(wants_cancel(it.look(), run));
  it.objects.of<restore>().begin()->second.metadata.uid = "uid-of-one-made-since";
  EXPECT_TRUE(wants_cancel(it.look(), run));
  run.order.object.uid.clear();
  it.take_away("Restore", "r1");
  EXPECT_FALSE(wants_cancel(it.look(), run)) << "it is still to be made";
}

TEST_F(RestorePlan, SaysWhyItsClaimIsRefused) {
  put_restore(from_photos, R"("target":{"pvc":{"name":"fresh"}})");
  auto first = prepared();
  ASSERT_EQ(said(first), "wait CreatingClaim");
  auto& said_to = it.answers["create-object " + std::get<wait>(first).asks.front().key];
  said_to = {.code = answer_code::Forbidden, .message = "exceeded quota: small"};
  auto held = prepared();
  ASSERT_EQ(said(held), "wait ClaimRefused");
  EXPECT_NE(std::get<wait>(held).why.message.find("exceeded quota: small"), std::string::npos);
  EXPECT_EQ(std::get<wait>(held).asks.size(), 1u) << "a quota may grow";
  said_to = {.code = answer_code::Invalid, .message = "spec.resources[storage]: Required value"};
  auto over = prepared();
  ASSERT_EQ(said(over), "refused InvalidWork");
  EXPECT_NE(std::get<refused>(over).failure.message.find("Required value"), std::string::npos);
}

/// If the clock goes back while it runs, a negative duration would make the API refuse its status (seed 10055).
TEST_F(RestorePlan, TakesNoTimeAtLeast) {
  put_restore(from_photos);
  auto id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  run_state run{.run = id, .order = {.plan = "restore", .object = {"Restore", "prod", "r1", "uid-r1"}}};
  run.stage = run_stage::FollowThroughComplete, run.outcome = run_outcome::Succeeded;
  run.started_at = it.now, run.finished_at = it.now - std::chrono::minutes(2);
  auto told = find_plan("restore")->report(it.look(), run);
  EXPECT_EQ(json::write(*told.at(0).fragment.status.at("timing.durationSeconds")), "0");
}

TEST_F(RestorePlan, RestoreAgainIsOneMoreRun) {
  put_restore(from_photos);
  auto first = it.reconcile_it("Restore", "r1");
  ASSERT_EQ(first.orders.size(), 1U);
  put_executed(first.orders[0].id, "FollowThroughComplete", 1, "Completed",
               R"("annotations":{"kopiur.home-operations.com/restore-again":"2"})");
  auto second = it.reconcile_it("Restore", "r1");
  ASSERT_EQ(second.orders.size(), 1U);
  EXPECT_NE(second.orders[0].id, first.orders[0].id);
}

TEST_F(RestorePlan, WhatWasDoneIsNotOrderedAgainWhenItsRunIsForgotten) {
  put_restore(from_photos);
  auto id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  put_executed(id, "FollowThroughComplete", 1, "Failed");
  EXPECT_TRUE(it.reconcile_it("Restore", "r1").orders.empty());
}

/// Even with a newer snapshot, and after the bus has lost the run.
TEST_F(RestorePlan, WhatARunHasPinnedStaysPinned) {
  put_restore(from_photos);
  auto id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  auto put_pinned = [&](std::string const& run, std::string const& repository) {
    it.put("Restore", "r1", "",
           std::string(R"("spec":{)") + from_photos + "," + into_existing + R"(},"status":{"phase":"Resolving","execution":{"runID":")" +
               run +
               R"(","stage":"Committed","attempt":1},"resolved":{"snapshotID":"s0","identity":{"username":"photos","hostname":"prod",)"
               R"("sourcePath":"/pvc/data"},"repository":{"kind":"Repository","name":"nas","namespace":"prod","uniqueID":")" +
               repository + R"("}}})");
  };
  put_pinned(id, "id-nas");
  EXPECT_EQ(task_of(prepared()).snapshot_ID, "s0");
  put_pinned("another", "id-nas");
  EXPECT_EQ(task_of(prepared()).snapshot_ID, "s1");
  put_pinned(id, "id-of-another");
  EXPECT_EQ(said(prepared()), "refused WrongRepository");
}

/// Into an existing claim the mover is requested only after the object records the committed attempt, so a lost bus causes no second
/// restore.
TEST_F(RestorePlan, IntoAClaimThatWasThereWaitsForItsCommitmentInTheObject) {
  run_state run{.run = "r", .order = {.plan = "restore", .object = {"Restore", "prod", "r1", "uid-r1"}}, .stage = run_stage::Committed};
  run.attempt = 1, run.plan = run_plan{.class_ = plan_class::AtMostOnce};
  auto seen = [&] { return find_plan("restore")->receipt(it.look(), run); };
  auto seen_after = [&](std::string const& id, std::string const& stage, int attempt) {
    put_executed(id, stage, attempt, "Restoring");
    return seen();
  };
  put_restore(from_photos);
  EXPECT_FALSE(seen());
  EXPECT_FALSE(seen_after("another", "Committed", 1));
  EXPECT_FALSE(seen_after("r", "Prepared", 1));
  EXPECT_FALSE(seen_after("r", "Committed", 0));
  EXPECT_TRUE(seen_after("r", "Committed", 1));
  put_restore(from_photos);
  run.plan = run_plan{.class_ = plan_class::Repeatable};
  EXPECT_TRUE(seen()) << "what is written into a volume of its own may be started again";
}

TEST_F(RestorePlan, TheClaimSaysWhatFilledIt) {
  put_restore(from_photos);
  auto id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  it.runs[id] = {.run = id, .order = {.plan = "restore"}, .stage = run_stage::TerminalObserved};
  it.runs[id].outcome = run_outcome::Failed;
  EXPECT_TRUE(it.reconcile_it("Restore", "r1").asks.empty());
  it.runs[id].outcome = run_outcome::Succeeded;
  it.runs[id].plan = run_plan{.resolved = json::encode(restore_resolved{.snapshot_ID = "s1"})};
  auto needs = it.reconcile_it("Restore", "r1");
  ASSERT_EQ(asked(needs), std::vector<std::string>{"patch-metadata"});
  auto& patch = std::get<patch_metadata>(std::get<gateway_command>(needs.asks[0].what));
  EXPECT_EQ(patch.annotations.at(std::string(annotation::restored_by)), "r1");
  EXPECT_EQ(patch.annotations.at(std::string(annotation::restored_snapshot)), "s1");
}

class PassiveRestore : public RestorePlan {
 protected:
  PassiveRestore() { put_restore(from_photos, ""); }
  void put_waiting_claim(std::string_view name = "fresh", std::string_view metadata = "") {
    it.put_claim(name, metadata, R"("dataSourceRef":{"apiGroup":"kopiur.home-operations.com","kind":"Restore","name":"r1"})", "Pending");
  }
  static json::value parameters(std::string const& name) { return json::object{{"claim", name}, {"claimUid", "uid-" + name}}; }
};

TEST_F(PassiveRestore, WaitsForClaimsAndIsReadyMeanwhile) {
  auto needs = it.reconcile_it("Restore", "r1");
  EXPECT_TRUE(needs.orders.empty());
  ASSERT_EQ(needs.statuses.size(), 1U);
  EXPECT_EQ(needs.statuses[0].fragment.conditions.at(0).status, "True") << "a Restore that nobody asked yet holds up no deployment";
}

TEST_F(PassiveRestore, WaitsForTheFirstPodWhereTheClassDoes) {
  auto put = [&](std::string_view metadata) {
    it.put_claim("fresh", metadata,
                 R"("storageClassName":"near","dataSourceRef":{"apiGroup":"kopiur.home-operations.com","kind":"Restore","name":"r1"})",
                 "Pending");
  };
  it.put("StorageClass", "near", "", R"("volumeBindingMode":"WaitForFirstConsumer")");
  put("");
  auto needs = it.reconcile_it("Restore", "r1");
  EXPECT_TRUE(needs.orders.empty());
  ASSERT_EQ(needs.statuses.size(), 1U);
  EXPECT_EQ(needs.statuses[0].fragment.conditions.at(0).reason, "WaitingForConsumer");
  put(R"("annotations":{"volume.kubernetes.io/selected-node":"n1"})");
  EXPECT_EQ(it.reconcile_it("PersistentVolumeClaim", "fresh").orders.size(), 1U);
  put("");
  it.put("StorageClass", "near", "", R"("volumeBindingMode":"Immediate")");
  EXPECT_EQ(it.reconcile_it("Restore", "r1").orders.size(), 1U);
}

TEST_F(RestorePlan, ItsMoverMayBeTheFirstPodThatUsesTheClaim) {
  put_restore(from_photos);
  it.put_claim("data", "", R"("storageClassName":"near")", "Pending");
  EXPECT_EQ(said(prepared()), "wait ClaimNotBound");
  it.put("StorageClass", "near", "", R"("volumeBindingMode":"WaitForFirstConsumer")");
  EXPECT_EQ(said(prepared()), "ready");
}

TEST_F(PassiveRestore, FillsEachClaimThatNamesItOnce) {
  put_waiting_claim();
  auto needs = it.reconcile_it("PersistentVolumeClaim", "fresh");
  ASSERT_EQ(needs.orders.size(), 1U);
  EXPECT_EQ(needs.orders[0].order.parameters.text("claim"), "fresh");
  auto what = prepared(parameters("fresh"));
  ASSERT_EQ(said(what), "ready");
  EXPECT_EQ(std::get<ready>(what).plan.class_, plan_class::Repeatable);
  auto id = needs.orders[0].id;
  it.runs[id] = {.run = id, .order = needs.orders[0].order, .stage = run_stage::FollowThroughComplete};
  it.runs[id].outcome = run_outcome::Succeeded;
  auto later = it.reconcile_it("Restore", "r1");
  EXPECT_EQ(asked(later), std::vector<std::string>{"patch-metadata"});
  ASSERT_EQ(later.statuses.size(), 1U);
  EXPECT_TRUE(later.statuses[0].fragment.conditions.empty()) << "it no longer says that there is none to fill: the run speaks";
  EXPECT_FALSE(later.statuses[0].fragment.status.find("phase"));
  put_waiting_claim("fresh", R"("annotations":{"kopiur.home-operations.com/restored-by":"r1"})");
  it.runs.clear();
  EXPECT_TRUE(it.reconcile_it("Restore", "r1").orders.empty()) << "filled is filled, also when the run is forgotten";
}

TEST_F(RestorePlan, WritesAVolumeOfItsOwnSoThatTheNextAttemptOverwritesWhatALostOneLeft) {
  put_restore(from_photos);
  EXPECT_TRUE(task_of(prepared()).options.write_files_atomically) << "an existing volume may have readers";
  it.put_claim("data", R"("annotations":{"kopiur.home-operations.com/made-for":"uid-r1"})");
  put_restore(from_photos, into_new);
  auto what = prepared();
  ASSERT_EQ(said(what), "ready");
  EXPECT_FALSE(task_of(what).options.write_files_atomically);
}

TEST_F(PassiveRestore, NeverFillsAClaimAgainThatAnotherRestoreHasFilledSince) {
  put_waiting_claim("fresh", R"("annotations":{"kopiur.home-operations.com/restored-by":"by-hand"})");
  EXPECT_TRUE(it.reconcile_it("Restore", "r1").orders.empty()) << "also when its own run is forgotten";
  EXPECT_EQ(said(prepared(parameters("fresh"))), "nothing");
}

constexpr char const* bound = R"("volumeName":"v","dataSourceRef":{"apiGroup":"kopiur.home-operations.com","kind":"Restore","name":"r1"})";

TEST_F(PassiveRestore, LeavesAClaimAloneThatHasAVolume) {
  it.put_claim("fresh", "", bound);
  auto needs = it.reconcile_it("Restore", "r1");
  EXPECT_TRUE(needs.orders.empty());
  ASSERT_EQ(needs.statuses.size(), 1U);
  EXPECT_EQ(needs.statuses[0].fragment.conditions.at(0).reason, "TargetAlreadyBound");
  EXPECT_NE(needs.statuses[0].fragment.conditions.at(0).message.find("fresh"), std::string::npos);
  EXPECT_EQ(said(prepared(parameters("fresh"))), "refused InvalidWork") << "bound since it was ordered";
}

TEST_F(PassiveRestore, AskedToDoItAgainLeavesABoundClaimAloneAndSaysSo) {
  it.put_claim("fresh", R"("annotations":{"kopiur.home-operations.com/restored-by":"r1"})", bound);
  EXPECT_EQ(said(prepared(parameters("fresh"))), "nothing");
  put_restore(from_photos, "", R"("annotations":{"kopiur.home-operations.com/restore-again":"2"})");
  EXPECT_EQ(it.reconcile_it("Restore", "r1").orders.size(), 1U);
  auto what = prepared(parameters("fresh"));
  ASSERT_EQ(said(what), "refused InvalidWork");
  EXPECT_NE(std::get<refused>(what).failure.message.find("TargetAlreadyBound"), std::string::npos);
}

TEST_F(PassiveRestore, IsCompletedOnceItsClaimIsBound) {
  put_waiting_claim();
  auto order = it.reconcile_it("Restore", "r1").orders.at(0);
  run_state run{.run = order.id, .order = order.order, .stage = run_stage::FollowThroughComplete, .outcome = run_outcome::Succeeded};
  it.runs[order.id] = run;
  auto told = [&] {
    auto told = find_plan("restore")->report(it.look(), run);
    return std::string(told.at(0).fragment.status.text("phase")) + " " + told[0].fragment.conditions.at(0).reason + " " +
           std::string(told[0].fragment.status.at("claims")->as_array()->at(0).text("phase"));
  };
  EXPECT_EQ(told(), "Restoring BindingClaims Completed");
  it.can.pods = true;
  auto in_cluster = find_plan("restore")->report(it.look(), run).at(0).fragment.status;
  EXPECT_EQ(in_cluster.at("claims")->as_array()->at(0).text("pvcPrime"), "prime-uid-fresh");
  EXPECT_EQ(in_cluster.text("target.pvcRef"), "fresh");
  it.put_claim("fresh", R"("annotations":{"kopiur.home-operations.com/restored-by":"r1"})", bound);
  EXPECT_EQ(told(), "Completed ClaimsFilled Completed");
  it.take_away("PersistentVolumeClaim", "fresh");
  EXPECT_EQ(told(), "Completed ClaimsFilled Completed") << "nobody waits for a claim that was deleted since";
}

TEST_F(PassiveRestore, WithNoSnapshotLeavesTheClaimEmptyOnlyWhereTheManifestSaysSo) {
  put_waiting_claim();
  it.listed.clear();
  EXPECT_EQ(said(prepared(parameters("fresh"))), "wait NoSnapshot");
  put_restore(R"("source":{"fromConfig":{"name":"photos"}},"policy":{"onMissingSnapshot":"Continue"})", "");
  EXPECT_EQ(said(prepared(parameters("fresh"))), "nothing");
  put_restore(R"("source":{"fromConfig":{"name":"photos"}},"policy":{"onMissingSnapshot":"Continue","waitTimeout":"1h"})", "");
  auto waits = prepared(parameters("fresh"));
  ASSERT_EQ(said(waits), "wait NoSnapshot") << "a time that the user names holds";
  EXPECT_NE(std::get<wait>(waits).why.message.find("Waiting for one for 1h (spec.policy.waitTimeout), then the volume stays empty."),
            std::string::npos)
      << std::get<wait>(waits).why.message;
  it.lists.clear();
  EXPECT_EQ(said(prepared(parameters("fresh"))), "wait ListingSnapshots");
}

TEST_F(PassiveRestore, TakesTheSourceOfTheClaimsName) {
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"fresh"}}]})");
  it.put_saved("b2", "s2", "/pvc/fresh");
  put_waiting_claim();
  EXPECT_EQ(said(prepared(parameters("fresh"))), "refused InvalidWork");
  put_restore(R"("source":{"fromConfig":{"name":"photos","sourcePathFrom":"claimName"}})", "");
  auto what = prepared(parameters("fresh"));
  ASSERT_EQ(said(what), "ready");
  EXPECT_EQ(task_of(what).snapshot_ID, "s2");
}

TEST_F(PassiveRestore, EndsWhenItsClaimIsDeleted) {
  put_waiting_claim();
  run_state run{.run = "r", .order = {.plan = "restore", .object = {"Restore", "prod", "r1", "uid-r1"}}};
  run.order.parameters = parameters("fresh");
  EXPECT_FALSE(wants_cancel(it.look(), run));
  it.take_away("PersistentVolumeClaim", "fresh");
  EXPECT_TRUE(wants_cancel(it.look(), run));
}

TEST_F(RestorePlan, OfADryRunLooksAndHoldsNobodyUp) {
  put_restore(from_photos, std::string(into_existing) + R"(,"dryRun":true)");
  auto what = prepared();
  ASSERT_EQ(said(what), "ready");
  EXPECT_TRUE(task_of(what).dry_run);
  EXPECT_EQ(task_of(what).target, "{{target}}");
  auto& plan = std::get<ready>(what).plan;
  EXPECT_EQ(plan.class_, plan_class::Repeatable);
  EXPECT_EQ(plan.leases.front().key, "claim/c/prod/data");
  EXPECT_EQ(plan.leases.front().mode, lease_mode::Shared);
  EXPECT_TRUE(std::ranges::find(*plan.volumes, "target", &volume_use::name)->read_only);
}

TEST_F(RestorePlan, OfADryRunMakesNoClaimAndBindsNone) {
  for (std::string target : {R"("target":{"pvc":{"name":"fresh","capacity":"1Gi"}},"dryRun":true)", R"("dryRun":true)"}) {
    put_restore(from_photos, target);
    auto what = prepared();
    ASSERT_EQ(said(what), "ready") << target;
    EXPECT_EQ(task_of(what).target, "");
    EXPECT_EQ(std::ranges::count(*std::get<ready>(what).plan.volumes, "target", &volume_use::name), 0);
    EXPECT_EQ(asked(it.reconcile_it("Restore", "r1")), nothing);
  }
  it.put_claim("fresh", "", "", "Pending");
  put_restore(from_photos, R"("target":{"pvcRef":{"name":"fresh"}},"dryRun":true)");
  EXPECT_EQ(task_of(prepared()).target, "") << "its first pod would bind it";
  it.put("Restore", "r1", "", R"("spec":{"source":{"fromConfig":{"name":"photos","sourcePathFrom":"claimName"}},"dryRun":true})");
  EXPECT_EQ(said(prepared()), "refused InvalidWork");
}

TEST_F(RestorePlan, OfADryRunIsToldAndFollowedByTheAct) {
  put_restore(from_photos, std::string(into_existing) + R"(,"dryRun":true)");
  auto order = it.reconcile_it("Restore", "r1").orders.at(0);
  run_state run{.run = order.id, .order = order.order, .stage = run_stage::FollowThroughComplete, .outcome = run_outcome::Succeeded};
  run.plan = std::get<ready>(prepared()).plan;
  run.result = kopia_result{.preview = restore_preview{.snapshot_ID = "s1", .files = 3, .bytes = 12, .created = 2, .unchanged = 1}};
  it.runs[order.id] = run;
  auto told = find_plan("restore")->report(it.look(), run);
  EXPECT_EQ(told.at(0).fragment.conditions.at(0).reason, "Planned");
  EXPECT_EQ(told.at(0).fragment.conditions.at(0).message,
            "Nothing was written. Of snapshot s1 (3 files, 12 bytes) 2 would be created, 0 replaced, 1 are there already. Set spec.dryRun "
            "to false to have it done.");
  EXPECT_EQ(json::write(*told.at(0).fragment.status.at("plan.created")), "2");
  EXPECT_EQ(told.at(0).fragment.status.text("target.pvcRef"), "data");
  EXPECT_EQ(told.at(0).fragment.conditions.size(), 1U) << "of owners nothing is known";
  auto after = it.reconcile_it("Restore", "r1");
  EXPECT_TRUE(after.orders.empty());
  EXPECT_EQ(asked(after), nothing) << "the claim holds nothing new";
  put_restore(from_photos);
  auto act = it.reconcile_it("Restore", "r1").orders;
  ASSERT_EQ(act.size(), 1U);
  EXPECT_NE(act[0].id, order.id);
  EXPECT_TRUE(find_plan("restore")->report(it.look(), run).empty()) << "the act says how it stands now";
}

TEST_F(RestorePlan, OfADryRunIsGivenUpOnceTheActIsAskedFor) {
  put_restore(from_photos, std::string(into_existing) + R"(,"dryRun":true)");
  auto order = it.reconcile_it("Restore", "r1").orders.at(0);
  run_state run{.run = order.id, .order = order.order, .stage = run_stage::Created};
  run.plan = std::get<ready>(prepared()).plan;
  EXPECT_FALSE(wants_cancel(it.look(), run));
  put_restore(from_photos);
  EXPECT_EQ(wants_cancel(it.look(), run).value().why, "Restore r1 does not ask for this plan any more");
  auto act = it.reconcile_it("Restore", "r1").orders.at(0);
  run_state writes{.run = act.id, .order = act.order, .stage = run_stage::Created, .plan = std::get<ready>(prepared()).plan};
  put_restore(from_photos, std::string(into_existing) + R"(,"dryRun":true)");
  EXPECT_FALSE(wants_cancel(it.look(), writes)) << "what writes is not stopped by the wish to look";
}

class RestoreOwnership : public RestorePlan {
 protected:
  RestoreOwnership() { put_restore(from_photos); }
  run_state ended(std::optional<ownership_report> found) {
    auto id = restore_id;
    run_state run{.run = id, .order = {.plan = "restore", .object = {"Restore", "prod", "r1", "uid-r1"}}};
    run.stage = run_stage::FollowThroughComplete, run.outcome = run_outcome::Succeeded, run.started_at = it.now, run.changed_at = it.now;
    run.plan = run_plan{.body = kopia_task{.task = restore_work{}}};
    run.result = kopia_result{.ownership = std::move(found)};
    return it.runs[id] = run;
  }
  condition_fragment kept(run_state const& run) {
    auto told = find_plan("restore")->report(it.look(), run);
    for (auto& each : told.at(0).fragment.conditions)
      if (each.type == condition_type::ownership_kept) return each;
    return {};
  }
  std::string restore_id;
};

TEST_F(RestoreOwnership, ThatIsLostIsTold) {
  restore_id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  auto run = ended(ownership_report{.entries = 120, .lost = 2, .examples = {"a", "b"}});
  auto said = kept(run);
  EXPECT_EQ(said.status, "False");
  EXPECT_EQ(said.message, "2 of 120 entries were restored with another owner, group or mode than the snapshot has: a, b.");
  EXPECT_EQ(asked(it.reconcile_it("Restore", "r1")), (std::vector<std::string>{"record-event", "patch-metadata"}));
  std::vector<std::string> const no_event{"patch-metadata"};
  it.answers["record-event uid-r1-ownership-2-120"] = {.code = answer_code::Ok};
  EXPECT_EQ(asked(it.reconcile_it("Restore", "r1")), no_event) << "the Event is recorded once";
  it.answers.clear();
  it.now += std::chrono::hours(1);
  EXPECT_EQ(asked(it.reconcile_it("Restore", "r1")), no_event) << "also where its answer is forgotten";
}

TEST_F(RestoreOwnership, ThatIsKeptOrNotKnownIsToldToo) {
  restore_id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  EXPECT_EQ(kept(ended(ownership_report{.entries = 120})).status, "True");
  EXPECT_EQ(kept(ended({})).status, "Unknown");
  auto open = ended({});
  open.stage = run_stage::Created, open.outcome.reset(), open.result.reset();
  it.runs[open.run] = open;
  EXPECT_EQ(kept(open).type, "") << "nothing is written yet";
}

/// Two Restores into one claim must not overwrite each other's name indefinitely (found by the simulation).
TEST_F(RestorePlan, OfTwoIntoOneClaimTheLastToFillItIsNamed) {
  put_restore(from_photos);
  auto id = it.reconcile_it("Restore", "r1").orders.at(0).id;
  it.runs[id] = {.run = id, .stage = run_stage::FollowThroughComplete, .started_at = it.now, .outcome = run_outcome::Succeeded};
  auto named = [&](instant time) {
    it.put_claim("data", R"("annotations":{"kopiur.home-operations.com/restored-by":"r2","kopiur.home-operations.com/restored-at":")" +
                             to_text(time) + "\"}");
    return asked(it.reconcile_it("Restore", "r1"));
  };
  EXPECT_EQ(named(it.now - std::chrono::hours(1)), std::vector<std::string>{"patch-metadata"});
  EXPECT_TRUE(named(it.now + std::chrono::hours(1)).empty());
}

}  // namespace
}  // namespace kopiur::plans
