#include "services/mover-orchestration/core/plans/plans.hpp"

#include "services/mirror/core/neighbours.hpp"
#include "services/mover-orchestration/core/stages.hpp"
#include "services/mover-orchestration/test/scene.hpp"

namespace kopiur::orchestration {
namespace {

using namespace proto;

std::vector<std::string> const nothing;

TEST(MaintenanceRequest, IsOneRunForEachValue) {
  scene it;
  auto put = [&](std::string_view asked, std::string_view handled) {
    it.put("Maintenance", "m", R"("annotations":{"kopiur.home-operations.com/run-maintenance":")" + std::string(asked) + R"("})",
           R"("spec":{"repository":{"name":"nas"}},"status":{"lastHandledRequest":")" + std::string(handled) + R"("})");
  };
  put("full x1", "");
  auto needs = it.tend_it("Maintenance", "m");
  ASSERT_EQ(needs.orders.size(), 1U);
  EXPECT_EQ(json::dump(needs.orders[0].order.parameters), R"({"full":true})");
  EXPECT_EQ(needs.claims.at(0).claim.status.text("lastHandledRequest"), "full x1");
  put("full x1", "full x1");
  EXPECT_TRUE(it.tend_it("Maintenance", "m").orders.empty());
  put("quick x2", "full x1");
  EXPECT_NE(it.tend_it("Maintenance", "m").orders.at(0).id, needs.orders[0].id);
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

/// Whoever may write Maintenances in some namespace must not take over, or stop, what is not theirs.
TEST(MaintenanceRun, OfAStrangerIsRefused) {
  scene it;
  it.put("ClusterRepository", "shared", "",
         R"("spec":{"backend":{"filesystem":{"path":"/srv/shared"}},"encryption":{"passwordSecretRef":{"name":"password","namespace":)"
         R"("vault"}},"allowedNamespaces":{"list":["office"]}},"status":{"phase":"Ready","uniqueID":"id-shared"})");
  it.put("Maintenance", "m", "", R"("spec":{"repository":{"kind":"ClusterRepository","name":"shared"}})");
  auto what = it.prepare_it("maintain", "Maintenance", "m");
  ASSERT_EQ(said(what), "refused AccessDenied");
  EXPECT_NE(std::get<refused>(what).failure.message.find("does not allow namespace prod"), std::string::npos);
}

/// `import.from` is a folder of the host, or in a cluster a claim of the namespace: read where it lies, at the time it is of.
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
  auto& source = *std::ranges::find(plan.volumes, "source", &volume_use::name);
  EXPECT_EQ(source.claim_namespace + "/" + source.claim_name + source.host_path, "prod/old");
  EXPECT_FALSE(source.copy);
  auto& task = std::get<snapshot_work>(plan.work.task);
  EXPECT_EQ(task.source.source_path, "/pvc/data");
  EXPECT_EQ(to_text(task.start_time.value()), "2026-01-02T03:00:00Z");
  EXPECT_EQ(plan.leases.at(0).key, "claim/c/prod/old");
  EXPECT_EQ(plan.resolved.text("pvcName"), "old");
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

/// `cacheDefaults` are every mover's; a recipe's own options go before them, one by one.
TEST(Movers, HaveTheRepositorysCacheUnlessTheirRecipeSaysOtherwise) {
  scene it;
  it.put(
      "Repository", "nas", "",
      R"("spec":{"backend":{"filesystem":{"path":"/srv/nas"}},"encryption":{"passwordSecretRef":{"name":"password"}},)"
      R"("cacheDefaults":{"capacity":"8Gi","storageClassName":"fast","contentCacheSizeMB":500,"metadataCacheSizeMB":50}},"status":{"phase":"Ready","uniqueID":"id-nas"})");
  auto plan_of = [&](preparation what) { return said(what) == "ready" ? std::get<ready>(what).plan : run_plan{}; };
  it.put("Maintenance", "m", "", R"("spec":{"repository":{"name":"nas"},"mover":{"resources":{"limits":{"memory":"1Gi"}}}})");
  auto maintains = plan_of(it.prepare_it("maintain", "Maintenance", "m"));
  EXPECT_EQ(maintains.work.repository.content_cache_MB, 500);
  EXPECT_EQ(maintains.pod.text("cache.capacity"), "8Gi");
  EXPECT_EQ(maintains.pod.text("cache.storageClassName"), "fast");
  EXPECT_EQ(maintains.pod.text("resources.limits.memory"), "1Gi");
  it.put_claim("data");
  it.put_config("photos", R"("mover":{"cache":{"contentCacheSizeMB":9}})");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
  auto backs_up = plan_of(it.prepare_it("backup", "Backup", "b"));
  EXPECT_EQ(backs_up.work.repository.content_cache_MB, 9);
  EXPECT_EQ(backs_up.undo->repository.content_cache_MB, 9);
  EXPECT_EQ(backs_up.work.repository.metadata_cache_MB, 50);
  EXPECT_EQ(backs_up.pod.text("cache.capacity"), "8Gi");
  EXPECT_EQ(plan_of(it.prepare_it("discover", "Repository", "nas")).pod.text("cache.capacity"), "8Gi");
}

/// A cache that outgrows what it may have ends its mover; kopia's own defaults are 5 GB each.
TEST(Movers, KeepTheirCacheWithinItsCapacity) {
  scene it;
  it.put_claim("data");
  it.put_config("photos", R"("mover":{"cache":{"capacity":"1Gi","metadataCacheSizeMB":7}})");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
  auto what = it.prepare_it("backup", "Backup", "b");
  ASSERT_EQ(said(what), "ready");
  auto& access = std::get<ready>(what).plan.work.repository;
  EXPECT_EQ(access.content_cache_MB, 512);
  EXPECT_EQ(access.metadata_cache_MB, 7) << "what is said stands";
}

TEST(ConfigIdentity, IsResolvedAnewOnlyWhileNothingBearsIt) {
  scene it;
  auto put = [&](std::string_view metadata) {
    it.put(
        "BackupConfig", "photos", metadata,
        R"("spec":{"repository":{"name":"nas"},"identity":{"username":"new"},"sources":[{"pvc":{"name":"data"}}]},"status":{"resolved":{"identity":{"username":"old","hostname":"prod"}}})");
  };
  auto username = [&] {
    return std::string(it.tend_it("BackupConfig", "photos").claims.at(0).claim.status.text("resolved.identity.username"));
  };
  put("");
  EXPECT_EQ(username(), "new");
  it.put_saved("b1", "s1", "/pvc/data");
  EXPECT_EQ(username(), "old");
  put(R"("annotations":{"kopiur.home-operations.com/allow-identity-change":"true"})");
  EXPECT_EQ(username(), "new");
}

constexpr char const* doomed = R"("finalizers":["kopiur.home-operations.com/backups-cleanup"],"deletionTimestamp":"2026-03-01T00:00:00Z")";

class Cascade : public ::testing::Test {
 protected:
  void put(std::string_view policy, std::string_view metadata) {
    it.put_config("photos", R"("onConfigDelete":")" + std::string(policy) + "\"", metadata);
  }
  std::vector<std::string> asks() { return asked(it.tend_it("BackupConfig", "photos")); }
  void live(std::string_view policy) {
    answer said{.code = answer_code::Ok};
    said.object = *json::parse(R"({"metadata":{"uid":"uid-photos","deletionTimestamp":"2026-03-01T00:00:00Z"},"spec":{"onConfigDelete":")" +
                               std::string(policy) + R"("}})");
    it.answers["read-object uid-photos-cascade"] = said;
  }
  scene it;
};

TEST_F(Cascade, AConfigThatKeepsItsBackupsHasNoFinalizer) {
  put("Retain", "");
  EXPECT_EQ(asks(), nothing);
  put("Retain", R"("finalizers":["kopiur.home-operations.com/backups-cleanup"])");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata -backups-cleanup"});
}

TEST_F(Cascade, IsHeldFromTheStartAndDeletesOnlyAfterALiveRead) {
  put("Delete", "");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata +backups-cleanup"});
  it.put_saved("b1", "s1", "/pvc/data");
  put("Delete", doomed);
  EXPECT_EQ(asks(), std::vector<std::string>{"read-object"});
  live("Delete");
  EXPECT_EQ(asks(), std::vector<std::string>{"delete-object b1"});
  it.take_away("Backup", "b1");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata -backups-cleanup"});
}

TEST_F(Cascade, APolicyThatWasChangedInTimeKeepsTheBackups) {
  it.put_saved("b1", "s1", "/pvc/data");
  put("Delete", doomed);
  live("Retain");
  EXPECT_EQ(asks(), std::vector<std::string>{"patch-metadata -backups-cleanup"});
}

TEST_F(Cascade, OfAScheduleTakesItsOwnBackupsOnly) {
  it.put_saved("b1", "s1", "/pvc/data", "nas", R"("annotations":{"kopiur.home-operations.com/schedule-uid":"uid-nightly"})");
  it.put_saved("b2", "s2", "/pvc/data");
  it.put("BackupSchedule", "nightly", doomed,
         R"("spec":{"configRef":{"name":"photos"},"schedule":{"cron":"0 3 * * *"},"onScheduleDelete":"Delete"})");
  answer said{.code = answer_code::Ok};
  said.object =
      *json::parse(R"({"metadata":{"uid":"uid-nightly","deletionTimestamp":"2026-03-01T00:00:00Z"},"spec":{"onScheduleDelete":"Delete"}})");
  it.answers["read-object uid-nightly-cascade"] = said;
  EXPECT_EQ(asked(it.tend_it("BackupSchedule", "nightly")), std::vector<std::string>{"delete-object b1"});
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
  auto source = std::ranges::find(plan.volumes, "source", &volume_use::name);
  ASSERT_TRUE(source != plan.volumes.end() && source->copy);
  EXPECT_FALSE(source->copy->clone);
  EXPECT_EQ(source->copy->snapshot_class, "fast");
  for (auto& each : plan.leases) EXPECT_FALSE(each.key.starts_with("claim/")) << "nothing reads the claim meanwhile";
  run_state run{.run = "r", .plan = plan, .attempt = 1};
  EXPECT_EQ(std::get<delete_job>(std::get<gateway_command>(remove_job(run, 1).what)).copies, std::vector<std::string>{"source"});
  it.put_config("photos", R"("copyMethod":"Clone")");
  auto clone = prepared();
  ASSERT_EQ(said(clone), "ready");
  EXPECT_TRUE(std::get<ready>(clone).plan.volumes.back().copy->clone);
}

TEST_F(BackupPlan, FinalizerAndLabelsAreOneWrite) {
  auto needs = it.tend_it("Backup", "b");
  ASSERT_EQ(asked(needs), std::vector<std::string>{"patch-metadata +snapshot-cleanup"});
  auto& patch = std::get<patch_metadata>(std::get<gateway_command>(needs.asks[0].what));
  EXPECT_EQ(patch.labels.at(std::string(label::repository)), "nas");
  EXPECT_EQ(patch.labels.at(std::string(label::backup_config)), "photos");
  EXPECT_EQ(patch.labels.at(std::string(label::identity_hash)), mirror::identity_hash({"photos", "prod", "/pvc/data"}));
  std::string labels;
  for (auto& [name, text] : patch.labels) labels += (labels.empty() ? "" : ",") + ("\"" + name + "\":\"" + text + "\"");
  it.put("Backup", "b", R"("finalizers":["kopiur.home-operations.com/snapshot-cleanup"],"labels":{)" + labels + "}",
         R"("spec":{"configRef":{"name":"photos"}})");
  EXPECT_EQ(asked(it.tend_it("Backup", "b")), nothing);
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
  EXPECT_EQ(job.name, "r-before-1") << "of the run, so that it is made once";
  EXPECT_TRUE(plan.before[1].continue_on_failure);
  ASSERT_EQ(plan.after.size(), 1U);
  EXPECT_EQ(std::get<call_http>(plan.after[0].call).url, "http://db/thaw");
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
    auto claims = find_recipe("backup")->report(it.look(), run);
    for (auto& each : claims.at(0).claim.conditions)
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

/// Seed 10071: the clock went back, and the run of a schedule made anew saved its snapshot over that of the former one's Backup.
TEST_F(BackupPlan, TakesNoBackupOfAnotherRunForItsOwn) {
  run_state run{.run = "backup-new", .order = {.plan = "backup", .object = {"Backup", "prod", "b", ""}}};
  auto put = [&](std::string_view by) {
    it.put("Backup", "b",
           R"("labels":{"kopiur.home-operations.com/run":")" + std::string(by) + R"("},"deletionTimestamp":"2026-03-01T00:00:00Z")",
           R"("spec":{"configRef":{"name":"photos"}})");
  };
  auto* recipe = find_recipe("backup");
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
  it.objects.backups.at({"prod", "b"}).metadata.uid = "uid-of-a-copy";
  EXPECT_FALSE(wants_cancel(it.look(), run)) << "somebody copied its labels";
}

/// A Backup of two sources that is deleted and asked for again under its name saves again: what was saved for the first one is not its own.
TEST_F(BackupPlan, MadeAnewTakesNoFormerSiblingsForItsOwn) {
  it.put_claim("more");
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  auto names = [&] {
    std::vector<std::string> made;
    for (auto& each : it.tend_it("Backup", "b").asks)
      if (auto* create = std::get_if<create_object>(&std::get<gateway_command>(each.what)))
        made.emplace_back(create->object.text("metadata.name"));
    return made;
  };
  auto former = names();
  ASSERT_EQ(former.size(), 2U);
  for (auto& each : former) it.put("Backup", each, "", R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Succeeded"})");
  EXPECT_EQ(names(), nothing);
  it.objects.backups.at({"prod", "b"}).metadata.uid = "uid-made-anew";
  EXPECT_EQ(tend(it.look(), {"Backup", "prod", "b", "uid-made-anew"}).asks.size(), 2U);
}

/// Found by simulated hours: a user deleted one of several, and it came back, for ever Pending.
TEST_F(BackupPlan, ASiblingThatWasDeletedDoesNotComeBack) {
  it.put_claim("more");
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  auto tended = it.tend_it("Backup", "b");
  ASSERT_EQ(tended.asks.size(), 2U);
  EXPECT_EQ(tended.claims.at(0).claim.status.text("phase"), "Pending");
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
    auto now = it.tend_it("Backup", "b");
    EXPECT_EQ(asked(now), nothing);
    return now.claims.at(0).claim.status;
  };
  EXPECT_EQ(status().text("phase"), "Failed");
  EXPECT_NE(status().text("failure.message").find(made[0].first + " (deleted)"), std::string::npos);

  it.objects.backups.at({"prod", "b"}).status.phase = backup_phase::Running;
  it.runs.clear();
  EXPECT_EQ(status().text("phase"), "Succeeded") << "nothing is known of the other any more";
  it.put_config("photos");  // of one source
  EXPECT_EQ(status().text("phase"), "Succeeded") << "the siblings are the group, whatever becomes of the config";
  it.take_away("Backup", made[1].first);
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  EXPECT_EQ(status().text("phase"), "Failed") << "none is left";
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

class SharedRepository : public ::testing::Test {
 protected:
  void put(std::string_view rest) {
    it.put(
        "ClusterRepository", "shared", "",
        R"("spec":{"backend":{"filesystem":{"path":"/srv/shared"}},"encryption":{"passwordSecretRef":{"name":"password","namespace":"prod"}},)" +
            std::string(rest) + "}");
  }
  bool allowed(std::string const& ns) { return mirror::allows(it.objects, spec(), ns); }
  bool may_be_of(std::string user, std::string host, std::string const& ns) {
    return mirror::may_be_of(spec(), {std::move(user), std::move(host), "/"}, ns);
  }
  cluster_repository_spec const& spec() { return it.objects.cluster_repositories.at({"", "shared"}).spec; }
  scene it;
};

TEST_F(SharedRepository, AdmitsNamespacesByTheirLabels) {
  put(R"("allowedNamespaces":{"selector":{"matchLabels":{"team":"a"}}})");
  it.put("Namespace", "one", R"("labels":{"team":"a"})", "");
  it.put("Namespace", "two", R"("labels":{"team":"b"})", "");
  EXPECT_TRUE(allowed("one"));
  EXPECT_FALSE(allowed("two"));
  EXPECT_FALSE(allowed("unknown"));
  put(R"("allowedNamespaces":{"selector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"In","values":["three"]}]}})");
  EXPECT_TRUE(allowed("three")) << "a name is a label that every namespace has";
}

/// A config may say whose identity it takes: in a shared repository, not another namespace's.
TEST_F(SharedRepository, LetsNoConfigBorrowAnothersIdentity) {
  it.put_claim("data");
  auto put_config = [&](std::string const& identity) {
    it.put("BackupConfig", "photos", "",
           R"("spec":{"repository":{"kind":"ClusterRepository","name":"shared"},"sources":[{"pvc":{"name":"data"}}])" + identity + "}");
  };
  auto backed_up = [&] {
    it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
    return said(it.prepare_it("backup", "Backup", "b"));
  };
  auto restored = [&] {
    it.put("Restore", "r", "", R"("spec":{"source":{"fromConfig":{"name":"photos"}},"target":{"pvcRef":{"name":"data"}}})");
    return said(it.prepare_it("restore", "Restore", "r"));
  };
  auto objection = [&] { return mirror::objection_to(it.objects, it.objects.configs.begin()->second).has_value(); };
  auto put_shared = [&](std::string const& more) {
    put(R"("allowedNamespaces":{"all":true})" + more +
        R"(},"status":{"phase":"Ready","uniqueID":"id-shared","catalog":{"lastRefreshAt":"2026-02-01T00:00:00Z"})");
  };
  put_shared("");
  put_config("");
  EXPECT_EQ(backed_up(), "ready");
  EXPECT_EQ(restored(), "wait NoSnapshot");
  EXPECT_FALSE(objection());
  put_config(R"(,"identity":{"username":"db","hostname":"payroll"})");
  EXPECT_EQ(backed_up(), "refused AccessDenied");
  EXPECT_EQ(restored(), "refused AccessDenied");
  EXPECT_TRUE(objection());
  EXPECT_EQ(it.tend_it("BackupConfig", "photos").claims.at(0).claim.conditions.at(0).reason, "NotAllowed");
  put_config(R"(},"status":{"resolved":{"identity":{"username":"db","hostname":"payroll","sources":[]}})");
  EXPECT_EQ(restored(), "refused AccessDenied") << "pinned elsewhere, or while it was allowed";
  put_config(R"(,"identity":{"username":"db"})");
  EXPECT_EQ(backed_up(), "ready") << "another name of its own namespace";
  put_shared(R"(,"allowForeignIdentities":true)");
  put_config(R"(,"identity":{"username":"db","hostname":"payroll"})");
  EXPECT_EQ(backed_up(), "ready");
  put_shared(R"(,"identityDefaults":{"hostnameTemplate":"all"})");
  EXPECT_EQ(backed_up(), "refused AccessDenied");
  put_config("");
  EXPECT_EQ(backed_up(), "ready") << "what the owner's templates say";
}

TEST_F(SharedRepository, KnowsANamespacesIdentitiesByItsTemplates) {
  put(R"("allowedNamespaces":{"all":true})");
  EXPECT_TRUE(may_be_of("any", "one", "one"));
  EXPECT_FALSE(may_be_of("any", "two", "one"));
  put(R"("allowedNamespaces":{"all":true},"identityDefaults":{"hostnameTemplate":"{{ namespace }}.example","usernameTemplate":"u-{{ configName }}"})");
  EXPECT_TRUE(may_be_of("u-photos", "one.example", "one"));
  EXPECT_FALSE(may_be_of("photos", "one.example", "one"));
  EXPECT_FALSE(may_be_of("u-photos", "two.example", "one"));
  put(R"("allowedNamespaces":{"all":true},"identityDefaults":{"hostnameTemplate":"{{ configName }}-{{ namespace }}"})");
  EXPECT_FALSE(may_be_of("x", "x-b-a", "a")) << "it may as well be x of namespace b-a";
}

}  // namespace
}  // namespace kopiur::orchestration
