#include <gtest/gtest.h>

#include "services/systems/hypershift/test/scene.hpp"

/// Whether and how a snapshot is taken.
namespace kopiur::hypershift {
namespace {

using namespace test;

TEST(EtcdBackup, RunsThreeContainersOfWhichOneSeesTheCredentials) {
  scene it;
  auto plan = it.planned();
  EXPECT_EQ(plan.namespace_, "hypershift") << "no credentials of the operator are in the control plane's namespace";
  auto& pod = std::get<pod_plan>(plan.body);
  ASSERT_EQ(pod.init.size(), 2u);
  EXPECT_TRUE(pod.init[0].without_secrets);
  EXPECT_TRUE(pod.init[1].without_secrets);
  EXPECT_EQ(pod.init[1].image_of->name, "etcd");
  EXPECT_EQ(pod.main.args,
            (std::vector<std::string>{"etcd-upload", "--snapshot-path", "/etc/etcd-backup/snapshot.db", "--storage-type", "S3",
                                      "--aws-bucket", "snapshots", "--aws-region", "eu-1", "--key-prefix", "prod", "--key-suffix",
                                      pod.main.args.at(12), "--credentials-file", "/kopiur/job/credentials"}));
  ASSERT_EQ(pod.tokens.size(), 1u);
  EXPECT_EQ(pod.tokens[0].containers, std::vector<std::string>{"fetch-certs"}) << "etcd's image gets no token of the API server";
  EXPECT_EQ(plan.pod->volumes, volume_group::Always) << "one image reads what another one has written (B6.9)";
  EXPECT_EQ(plan.leases.at(0).key, "etcd/c/clusters-prod");
  EXPECT_FALSE(plan.leases.at(0).wait);
}

TEST(EtcdBackup, GrantsNoMoreThanTheCertificatesAndItsOwnPods) {
  scene it;
  auto pod = std::get<pod_plan>(it.planned().body);
  ASSERT_EQ(pod.grants.size(), 3u);
  for (auto& each : pod.grants) EXPECT_EQ(each.text("metadata.namespace"), "clusters-prod");
  EXPECT_EQ(json::dump(*pod.grants[0].find("rules")),
            R"([{"apiGroups":[""],"resources":["secrets"],"resourceNames":["etcd-client-tls"],"verbs":["get"]},)"
            R"({"apiGroups":[""],"resources":["configmaps"],"resourceNames":["etcd-ca"],"verbs":["get"]}])");
  EXPECT_EQ(pod.grants[2].text("spec.podSelector.matchLabels.app"), "etcd");
  EXPECT_NE(json::dump(pod.grants[2]).find(it.run.run), std::string::npos) << "from the pods of this run only";
}

TEST(EtcdBackup, WithARoleGetsATokenAndNoFile) {
  scene it;
  it.say("look-at-secret",
         {.object = json::encode(credentials_form{.mode = credentials_mode::WebIdentity, .role_ARN = "arn:aws:iam::1:role/r"})});
  auto plan = it.planned();
  auto& pod = std::get<pod_plan>(plan.body);
  EXPECT_TRUE(plan.secrets->empty());
  EXPECT_EQ(pod.main.env.at("AWS_ROLE_ARN"), "arn:aws:iam::1:role/r");
  EXPECT_EQ(pod.tokens.at(1).audience, "sts.amazonaws.com");
  EXPECT_EQ(pod.tokens.at(1).containers, std::vector<std::string>{"upload"});
}

/// The order of spec/etcd-backup.md: each of these is told before anything of the next is looked at.
TEST(EtcdBackup, ChecksInTheOrderOfTheContract) {
  scene it;
  it.answers.clear();
  it.leases["etcd/c/clusters-prod"] = {.key = "etcd/c/clusters-prod", .holders = {{"c", "other", lease_mode::Exclusive, it.now + 60s, 1}}};
  it.objects.of<hosted_control_plane>().clear();
  EXPECT_EQ(it.said(), "refused: There is no HostedControlPlane in clusters-prod, so there is no etcd to back up.");
  it.objects = scene().objects, it.request = &it.objects.of<etcd_backup>().begin()->second;
  EXPECT_EQ(it.said(), "CheckingEtcd: The etcd of clusters-prod is being checked.");
  it.say("read-object", {.object = scene::parsed(R"({"spec":{"replicas":3},"status":{"readyReplicas":1}})")});
  EXPECT_EQ(it.said(), "EtcdUnhealthy: 1 of 3 members of etcd in clusters-prod are ready.");
  it.say("read-object", {.object = scene::parsed(R"({"spec":{"replicas":3},"status":{"readyReplicas":3}})")});
  it.say("exec-in-pod", {.code = answer_code::Invalid, .message = "exit status 1"});
  EXPECT_EQ(it.said(), "EtcdUnhealthy: The etcd of clusters-prod does not answer as healthy: exit status 1");
  it.say("exec-in-pod", {});
  EXPECT_EQ(it.said(), "refused: Another backup of the etcd in clusters-prod is in progress (other).");
  it.leases.clear();
  EXPECT_EQ(it.said(), "CheckingCredentials: The Secret hypershift/keys is being looked at.");
  it.say("look-at-secret", {.code = answer_code::NotFound, .message = "There is no Secret hypershift/keys."});
  EXPECT_EQ(it.said(), "refused: The credentials are missing: There is no Secret hypershift/keys.");
}

TEST(EtcdBackup, IsNotRefusedWhileTheKindIsUnknown) {
  scene it;
  it.objects.presences.clear();
  EXPECT_EQ(it.said().substr(0, 21), "ListingControlPlanes:");
  it.objects.presences["HostedControlPlane"] = kind_presence::NotInstalled;
  EXPECT_EQ(it.said(), "refused: This cluster has no HostedControlPlane: its CustomResourceDefinition is not installed.");
}

/// B6.2: etcd that is unready during or after the Job, and a Secret that is gone, do not hide the Job.
TEST(EtcdBackup, ObservesItsOwnJobWhateverBecameOfEtcd) {
  scene it;
  it.answers.clear();
  it.objects.presences.clear();
  job own{.run = it.run.run, .attempt = 1, .namespace_ = "hypershift"};
  it.objects.of<job>()[{"hypershift", it.run.run + "-1"}] = own;
  EXPECT_EQ(it.said(), "ready");
}

/// All waits of a run count from the first one: an etcd that gets healthy at the last moment still has time for the next check.
TEST(EtcdBackup, HasTimeForTheCredentialsAfterAnEtcdThatWasUnhealthyForLong) {
  scene it;
  it.say("exec-in-pod", {.code = answer_code::Invalid});
  auto sick = it.prepare();
  it.say("exec-in-pod", {});
  it.answers.erase("look-at-secret");
  auto next = it.prepare();
  EXPECT_EQ(*std::get<controller::wait>(sick).at_most, duration(5min));
  EXPECT_GT(*std::get<controller::wait>(next).at_most, *std::get<controller::wait>(sick).at_most);
}

TEST(EtcdBackup, LeavesTheJobTheTimeThatIsLeftOfTenMinutes) {
  scene it;
  it.run.ordered_at = it.now - 4min;
  EXPECT_EQ(it.planned().deadline, duration(5min));
  it.run.ordered_at = it.now - 1h;
  EXPECT_EQ(it.planned().deadline, duration(1min));
}

/// B6.5: an etcd that stays unhealthy holds nothing that another backup would wait for.
TEST(EtcdBackup, ThatWaitsForEtcdHasNeitherLeaseNorGrants) {
  scene it;
  it.say("exec-in-pod", {.code = answer_code::Invalid});
  auto prepared = it.prepare();
  auto& waits = std::get<controller::wait>(prepared);
  EXPECT_EQ(waits.at_most, duration(5min)) << "and it ends";
  for (auto& each : waits.asks) EXPECT_FALSE(std::holds_alternative<lease_request>(each.what));
}

/// B6.4, B6.6: whatever the object is called, the Job has one name, which fits.
TEST(EtcdBackup, HasARunWhoseNameDependsOnItsUidAndFits) {
  scene it;
  it.request->metadata.name = std::string(253, 'n');
  auto run = run_of(it.request->metadata);
  EXPECT_LE(run.size() + 3, 63u) << "with the number of an attempt";
  it.request->metadata.name = "other";
  EXPECT_EQ(run_of(it.request->metadata), run);
  it.request->metadata.uid = "u2";
  EXPECT_NE(run_of(it.request->metadata), run) << "an object of the same name that is made again is another one";
}

/// B6.7: a key's URL is not the name of an encryption scope.
TEST(EtcdBackup, WithTheUrlOfAnAzureKeyIsRefusedBeforeAnythingIsDone) {
  scene it;
  auto& shipped = add_shipped(it, "shipped");
  shipped.spec.storage.s3.reset();
  shipped.spec.storage.azure_blob = hcp_etcd_backup_azure_blob{.container = "c",
                                                               .storage_account = "a",
                                                               .key_prefix = "p",
                                                               .credentials = {"keys"},
                                                               .encryption_key_URL = "https://v.vault.azure.net/keys/k"};
  it.run.order.object = controller::ref_of(shipped);
  EXPECT_EQ(it.said().substr(0, 43), "refused: encryptionKeyURL cannot be used: A");
}

TEST(EtcdBackup, OfAnUnmanagedEtcdIsRefused) {
  scene it;
  it.objects.of<hosted_control_plane>().begin()->second.spec.etcd.management_type = "Unmanaged";
  EXPECT_EQ(it.said(), "refused: The etcd of the HostedControlPlane in clusters-prod is unmanaged: it runs elsewhere. Back it up there.");
}

TEST(EtcdBackup, WithAWorkloadIdentityNamesClientAndTenant) {
  scene it;
  it.request->spec.s3.reset();
  it.request->spec.azure_blob =
      etcd_backup_azure_blob{.container = "c", .storage_account = "a", .key_prefix = "p", .credentials_secret_ref = {"keys"}};
  it.say("look-at-secret",
         {.object = json::encode(
              credentials_form{.mode = credentials_mode::WorkloadIdentity, .role_ARN = {}, .client_id = "client", .tenant_id = "tenant"})});
  auto plan = it.planned();
  auto& env = std::get<pod_plan>(plan.body).main.env;
  EXPECT_EQ(env.at("AZURE_CLIENT_ID"), "client");
  EXPECT_EQ(env.at("AZURE_TENANT_ID"), "tenant") << "without it there is no token";
}

}  // namespace
}  // namespace kopiur::hypershift
