#include <gtest/gtest.h>

#include "services/systems/openbao/test/scene.hpp"

/// Whether and how a restore is carried out.
namespace kopiur::openbao {
namespace {

using namespace test;

pod_plan pod_of(scene const& it) { return std::get<pod_plan>(it.planned().body); }

TEST(OpenBaoRestore, RunsOneContainerWithTheEnvironmentOfTheContract) {
  scene it;
  auto plan = it.planned();
  EXPECT_EQ(plan.class_, plan_class::AtMostOnce);
  EXPECT_EQ(plan.namespace_, "team");
  EXPECT_EQ(plan.leases.at(0).key, "openbao/c/team/vault");
  auto& env = std::get<pod_plan>(plan.body).main.env;
  EXPECT_EQ(env.at("EXECUTOR_MODE"), "restore");
  EXPECT_EQ(env.at("CLUSTER_NAME"), "vault");
  EXPECT_EQ(env.at("CLUSTER_REPLICAS"), "3");
  EXPECT_EQ(env.at("RESTORE_KEY"), "team/vault/a.snap");
  EXPECT_EQ(env.at("RESTORE_REQUEST_UID"), "u1");
  EXPECT_EQ(env.at("BACKUP_PROVIDER"), "s3");
  EXPECT_FALSE(env.contains("RESTORE_FORCE")) << "the endpoint that skips the check of the seal is for force only";
  EXPECT_EQ(plan.pod->labels.at("openbao.org/component"), "restore");
  EXPECT_EQ(plan.pod->service_account, "vault-restore-serviceaccount");
}

/// A6.1: upstream mounts the token where its program does not look for it.
TEST(OpenBaoRestore, FindsItsTokenWhereItIsMounted) {
  scene it;
  auto plan = it.planned();
  EXPECT_EQ(std::get<pod_plan>(plan.body).main.env.at("BACKUP_TOKEN_PATH"), "/kopiur/job/token");
  EXPECT_TRUE(
      std::ranges::any_of(*plan.secrets, [](secret_use const& one) { return one.secret_name == "bao-token" && one.file == "token"; }));
}

/// New trap of the corrections, "tokenSecretRef is mounted even when jwtAuthRole wins": a Secret that is not needed must not hold up the
/// pod.
TEST(OpenBaoRestore, WithARoleNeedsNoTokenSecret) {
  scene it;
  it.wanted->spec.jwt_auth_role = "restorer";
  it.objects.of<controller::secret_metadata>().erase({"team", "bao-token"});
  auto plan = it.planned();
  EXPECT_TRUE(std::ranges::none_of(*plan.secrets, [](secret_use const& one) { return one.secret_name == "bao-token"; }));
  auto& pod = std::get<pod_plan>(plan.body);
  EXPECT_EQ(pod.main.env.at("BACKUP_JWT_AUTH_ROLE"), "restorer");
  EXPECT_TRUE(std::ranges::any_of(pod.tokens, [](pod_token const& one) { return one.audience == "openbao-internal"; }));
}

TEST(OpenBaoRestore, OfAClusterWithItsOwnRolesUsesThem) {
  scene it;
  it.wanted->spec.token_secret_ref.reset();
  EXPECT_NE(it.said().find("There is no way to log in"), std::string::npos);
  it.cluster->spec.self_init = bao_self_init{{.enabled = true}};
  EXPECT_EQ(pod_of(it).main.env.at("BACKUP_JWT_AUTH_ROLE"), "openbao-operator-restore");
}

/// A6.13: the Secret may have an authority or a region alone; the keys are a role's then, which upstream's restores do not know.
TEST(OpenBaoRestore, ReachesItsStoreByARoleBesideASecretWithoutKeys) {
  scene it;
  it.wanted->spec.source.target.role_arn = "arn:aws:iam::1:role/r";
  it.wanted->spec.source.target.region = "eu-north-1";
  auto plan = it.planned();
  auto& pod = std::get<pod_plan>(plan.body);
  EXPECT_EQ(pod.main.env.at("BACKUP_REGION"), "eu-north-1");
  EXPECT_EQ(pod.main.env.at("AWS_ROLE_ARN"), "arn:aws:iam::1:role/r");
  auto& file = pod.main.env.at("AWS_WEB_IDENTITY_TOKEN_FILE");
  EXPECT_TRUE(
      std::ranges::any_of(pod.tokens, [&](pod_token const& one) { return one.path == file && one.audience == "sts.amazonaws.com"; }));
  for (auto* key : {"accessKeyId", "secretAccessKey", "sessionToken", "region", "caCert"})
    EXPECT_TRUE(std::ranges::any_of(*plan.secrets, [&](secret_use const& one) {
      return one.secret_name == "keys" && one.key == key && one.file == key && one.optional;
    })) << key;
}

/// A6.17: a key alone names whatever was stored under it last.
TEST(OpenBaoRestore, PinsTheSnapshotByItsDigestAndSize) {
  scene it;
  auto digest = "sha256:" + std::string(64, 'a');
  it.wanted->spec.source.expected_digest = digest, it.wanted->spec.source.expected_size = 7;
  auto pod = pod_of(it);
  EXPECT_EQ(pod.main.env.at("RESTORE_EXPECTED_DIGEST"), digest);
  EXPECT_EQ(pod.main.env.at("RESTORE_EXPECTED_SIZE"), "7");
}

/// Its own object and the cluster's pods, by name, and nothing else.
TEST(OpenBaoRestore, IsGrantedItsOwnStatusOnly) {
  scene it;
  auto pod = pod_of(it);
  ASSERT_EQ(pod.grants.size(), 2u);
  EXPECT_EQ(json::dump(*pod.grants[0].find("rules")),
            R"([{"apiGroups":["openbao.org"],"resources":["openbaorestores"],"resourceNames":["back"],"verbs":["get"]},)"
            R"({"apiGroups":["openbao.org"],"resources":["openbaorestores/status"],"resourceNames":["back"],"verbs":["patch"]},)"
            R"({"apiGroups":[""],"resources":["pods"],"resourceNames":["vault-0","vault-1","vault-2"],"verbs":["get"]}])");
  EXPECT_EQ(pod.account->owner.uid, "cluster");
}

/// A6.7: while there are two StatefulSets, only one of them has the data.
TEST(OpenBaoRestore, FindsThePodsOfABlueGreenCluster) {
  scene it;
  it.cluster->status.blue_green = bao_blue_green{.phase = "Idle", .blue_revision = "a1b2"};
  EXPECT_EQ(pod_of(it).main.env.at("STATEFULSET_NAME"), "vault-a1b2");
}

/// A6.8.
TEST(OpenBaoRestore, WithALongNameHasAJobOfAtMost63Characters) {
  scene it;
  it.wanted->metadata.name = std::string(100, 'a') + "." + std::string(100, 'b');
  EXPECT_LE(run_of(*it.wanted).size() + 2, 63u);
  it.wanted->metadata.name = std::string(39, 'a') + ".b";
  EXPECT_EQ(run_of(*it.wanted).find('.'), std::string::npos);
  EXPECT_EQ(run_of(*it.wanted).find("--"), std::string::npos);
}

TEST(OpenBaoRestore, ChecksInTheOrderOfTheContract) {
  scene it;
  it.cluster->spec.profile = "Hardened";
  it.cluster->status.initialized = false;
  it.wanted->spec.override_operation_lock = true;
  it.wanted->spec.token_secret_ref.reset();
  it.objects.of<controller::secret_metadata>().clear();
  EXPECT_NE(it.said().find("egressRules"), std::string::npos);
  it.cluster->spec.network = bao_network{{json::value::make_object()}};
  EXPECT_NE(it.said().find("overrideOperationLock needs force"), std::string::npos);
  it.wanted->spec.override_operation_lock = false;
  EXPECT_NE(it.said().find("is not initialized"), std::string::npos);
  it.cluster->status.initialized = true;
  it.cluster->status.conditions = {{.type = "Upgrading", .status = condition_status::True}};
  EXPECT_NE(it.said().find("is being upgraded"), std::string::npos);
  it.wanted->spec.force = true;
  EXPECT_NE(it.said().find("There is no way to log in"), std::string::npos);
  it.wanted->spec.token_secret_ref = bao_secret_ref{"bao-token"};
  EXPECT_TRUE(it.said().starts_with("TokenSecretMissing"));
  it.objects.of<controller::secret_metadata>()[{"team", "bao-token"}] = {};
  EXPECT_TRUE(it.said().starts_with("CredentialsSecretMissing"));
  it.objects.of<controller::secret_metadata>()[{"team", "keys"}] = {};
  EXPECT_TRUE(it.said().starts_with("AuthorityMissing"));
  it.objects.of<controller::secret_metadata>()[{"team", "vault-tls-ca"}] = {};
  EXPECT_EQ(it.said(), "ready");
}

TEST(OpenBaoRestore, WaitsForAMissingSecretWithALimit) {
  scene it;
  it.objects.of<controller::secret_metadata>().erase({"team", "keys"});
  EXPECT_EQ(std::get<controller::wait>(it.prepare()).at_most, 15min);
}

TEST(OpenBaoRestore, IsRefusedWithoutItsClusterButNotWhileClustersAreUnknown) {
  scene it;
  it.objects.of<openbao_cluster>().clear();
  EXPECT_NE(it.said().find("There is no OpenBaoCluster team/vault"), std::string::npos);
  it.objects.presences["OpenBaoCluster"] = kind_presence::Unknown;
  EXPECT_TRUE(it.said().starts_with("ListingClusters"));
  it.objects.presences["OpenBaoCluster"] = kind_presence::NotInstalled;
  EXPECT_NE(it.said().find("is not installed"), std::string::npos);
}

TEST(OpenBaoRestore, SendsNoTokenWithoutTls) {
  scene it;
  it.cluster->spec.tls.enabled = false;
  EXPECT_NE(it.said().find("over TLS only"), std::string::npos);
}

TEST(OpenBaoRestore, RunsNoImageThatDoesNotClaimTheSubmission) {
  scene it;
  it.wanted->spec.image = "elsewhere/backup:1";
  EXPECT_NE(it.said().find("elsewhere/backup:1 is not run"), std::string::npos);
}

TEST(OpenBaoRestore, TakesNoLabelsFromItsUserThatLetPodsIn) {
  scene it;
  it.wanted->spec.source.target.workload_identity =
      bao_workload_identity{.service_account_annotations = {{"a.example/role", "r"}},
                            .pod_labels = {{"azure.workload.identity/use", "true"}, {"openbao.org/component", "upgrade"}, {"app", "etcd"}}};
  auto plan = it.planned();
  EXPECT_EQ(plan.pod->labels,
            (std::map<std::string, std::string>{
                {"azure.workload.identity/use", "true"}, {"openbao.org/cluster", "vault"}, {"openbao.org/component", "restore"}}));
  EXPECT_EQ(std::get<pod_plan>(plan.body).account->annotations.at("a.example/role"), "r");
}

/// Whatever has become of cluster and Secrets, the Job of a committed restore is observed to its end.
TEST(OpenBaoRestore, ThatWasCommittedIsNeverRefused) {
  scene it;
  it.wanted->status.execution = bao_execution{.operation_ID = "u1", .stage = bao_stage::Committed};
  it.objects.of<openbao_cluster>().clear();
  it.objects.of<controller::secret_metadata>().clear();
  EXPECT_EQ(it.said(), "ready");
  EXPECT_EQ(restore_plan.committed_before(it.view(), it.run), 1);
  it.wanted->status.execution->operation_ID = "of another object";
  EXPECT_EQ(restore_plan.committed_before(it.view(), it.run), 0) << "a copied status commits nothing";
}

TEST(OpenBaoRestore, IsNotStartedBeforeItsStatusShowsTheCommit) {
  scene it;
  it.commit();
  EXPECT_FALSE(restore_plan.receipt(it.view(), it.run));
  EXPECT_EQ(it.status().text("execution.stage"), "Committed");
  it.wanted->status.execution = bao_execution{.operation_ID = "u1", .stage = bao_stage::Committed};
  EXPECT_TRUE(restore_plan.receipt(it.view(), it.run));
}

/// A6.6.
TEST(OpenBaoRestore, IsCancelledByDeletionBeforeTheCommitAndDrainsAfterIt) {
  scene it;
  it.wanted->metadata.deletion_timestamp = it.now;
  EXPECT_TRUE(restore_plan.cancel(it.view(), it.run));
  it.commit();
  EXPECT_FALSE(restore_plan.cancel(it.view(), it.run));
  it.objects.of<openbao_restore>().clear();
  EXPECT_FALSE(restore_plan.cancel(it.view(), it.run)) << "even if it was deleted by force";
}

/// New trap of the corrections, "target cluster deleted while Running".
TEST(OpenBaoRestore, WhoseClusterIsDeletedEndsUnlessItsPodHasStarted) {
  scene it;
  it.commit();
  it.run.stage = run_stage::Created;
  EXPECT_FALSE(restore_plan.cancel(it.view(), it.run));
  it.objects.of<openbao_cluster>().clear();
  EXPECT_TRUE(restore_plan.cancel(it.view(), it.run)) << "its service account is gone with the cluster";
  it.objects.presences["OpenBaoCluster"] = kind_presence::Unknown;
  EXPECT_FALSE(restore_plan.cancel(it.view(), it.run)) << "that is not known";
  it.objects.presences["OpenBaoCluster"] = kind_presence::Listed;
  it.run.started_at = it.now;
  EXPECT_FALSE(restore_plan.cancel(it.view(), it.run)) << "it may be submitting";
}

TEST(OpenBaoRestore, KeepsItsFinalizerUntilTheRunIsOver) {
  scene it;
  it.wanted->metadata.deletion_timestamp = it.now;
  it.commit();
  auto& known = it.runs[it.run.run] = it.run;
  auto releases = [&] {
    for (auto& each : reconcile(it.view(), it.run.order.object).asks)
      if (auto* patch = std::get_if<patch_metadata>(&std::get<gateway_command>(each.what)); patch && !patch->remove_finalizers.empty())
        return true;
    return false;
  };
  EXPECT_FALSE(releases());
  known.stage = run_stage::FollowThroughComplete, known.outcome = run_outcome::Unknown;
  EXPECT_TRUE(releases());
}

/// The bus has lost a committed run, and its object is being deleted: it is observed to its end all the same.
TEST(OpenBaoRestore, ThatWasCommittedAndLostIsOrderedAgainThoughItIsBeingDeleted) {
  scene it;
  it.wanted->metadata.deletion_timestamp = it.now;
  EXPECT_TRUE(reconcile(it.view(), it.run.order.object).orders.empty());
  it.wanted->status.execution = bao_execution{.operation_ID = "u1", .stage = bao_stage::Created};
  it.wanted->status.phase = bao_phase::Running;
  EXPECT_EQ(reconcile(it.view(), it.run.order.object).orders.size(), 1u);
}

TEST(OpenBaoRestore, IsLeftToOpenBaosOperatorWhereThatRuns) {
  scene it;
  it.objects.presences["OpenBaoRestore"] = kind_presence::OfAnother;
  auto needs = reconcile(it.view(), it.run.order.object);
  EXPECT_TRUE(needs.orders.empty());
  ASSERT_EQ(needs.asks.size(), 1u);
  EXPECT_EQ(std::get<record_event>(std::get<gateway_command>(needs.asks[0].what)).reason, "ServedByOpenBaoOperator");
  EXPECT_TRUE(report(it.view(), it.run).empty());
}

}  // namespace
}  // namespace kopiur::openbao
