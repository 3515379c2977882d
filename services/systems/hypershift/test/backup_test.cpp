#include "services/systems/hypershift/plans/backup.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"
#include "services/systems/hypershift/reconcile.hpp"

namespace kopiur::hypershift {
namespace {

using namespace proto;
using namespace std::chrono_literals;

/// One control plane with one request, and what the gateway has answered.
class scene {
 public:
  controller::objects objects;
  std::map<std::string, answer> answers;  // by verb and the beginning of the key
  std::map<std::string, lease_state> leases;
  std::map<std::string, run_state> runs;
  instant now{1'000'000s};
  etcd_backup* request = nullptr;
  run_state run;

  scene() {
    objects.listed = true;
    objects.presences["HostedControlPlane"] = objects.presences["HostedCluster"] = kind_presence::Listed;
    auto& plane = objects.of<hosted_control_plane>()[{"clusters-prod", "prod"}];
    plane.metadata.name = "prod", plane.metadata.namespace_ = "clusters-prod", plane.metadata.uid = "plane";
    plane.metadata.annotations[std::string(annotation::hosted_cluster)] = "clusters/prod";
    auto& cluster = objects.of<hosted_cluster>()[{"clusters", "prod"}];
    cluster.metadata.name = "prod", cluster.metadata.namespace_ = "clusters", cluster.metadata.uid = "cluster";
    request = &objects.of<etcd_backup>()[{"clusters-prod", "nightly"}];
    request->kind = "EtcdBackup", request->metadata.name = "nightly", request->metadata.namespace_ = "clusters-prod",
    request->metadata.uid = "u1";
    request->spec.s3 = etcd_backup_s3{.bucket = "snapshots", .region = "eu-1", .key_prefix = "prod", .credentials_secret_ref = {"keys"}};
    run = {.run = run_of(request->metadata), .cluster = "c", .order = {.plan = "etcd-backup", .object = controller::ref_of(*request)}};
    run.ordered_at = now;
    say("read-object", {.object = parsed(R"({"spec":{"replicas":3},"status":{"readyReplicas":3}})")});
    say("exec-in-pod", {});
    say("look-at-secret", {.object = json::encode(credentials_form{.key = "credentials"})});
  }
  static json::value parsed(std::string_view text) { return json::parse(text).value(); }
  void say(std::string const& verb, answer what) { answers[verb] = std::move(what); }
  controller::cluster_view view() const {
    return {.objects = objects,
            .run =
                [this](std::string const& id) {
                  auto found = runs.find(id);
                  return found == runs.end() ? nullptr : &found->second;
                },
            .runs_of = [](std::string const&, std::string_view) { return std::vector<run_state const*>(); },
            .answer =
                [this](std::string_view verb, std::string_view) {
                  auto found = answers.find(std::string(verb));
                  return found == answers.end() ? nullptr : &found->second;
                },
            .list = [](std::string const&) { return nullptr; },
            .listed = [](controller::list_query const&) { return nullptr; },
            .lease =
                [this](std::string const& key) {
                  auto found = leases.find(key);
                  return found == leases.end() ? nullptr : &found->second;
                },
            .cluster = "c",
            .can = {.operator_namespace = "hypershift", .pods = true},
            .now = now};
  }
  controller::preparation prepare() const { return backup_plan.prepare(view(), run); }
  run_plan planned() const { return std::get<controller::ready>(prepare()).plan; }
  std::string said() const {
    auto all = prepare();
    if (auto* no = std::get_if<controller::refused>(&all)) return "refused: " + no->failure.message;
    if (auto* wait = std::get_if<controller::wait>(&all)) return wait->why.reason + ": " + wait->why.message;
    return "ready";
  }
  condition_fragment condition() const { return report(view(), run).at(0).fragment.conditions.at(0); }
  json::value status() const { return report(view(), run).at(0).fragment.status; }
  void end(run_outcome outcome, std::string text) {
    run.stage = run_stage::FollowThroughComplete, run.outcome = outcome, run.changed_at = now;
    job_result result(pod_report{.run = run.run, .outcome = proto::outcome::Succeeded, .text = std::move(text)});
    run.result = std::move(result);
  }
};

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
  EXPECT_TRUE(plan.secrets.empty());
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

TEST(EtcdBackup, TellsTheHostedClusterBeforeItIsCompleted) {
  scene it;
  it.end(run_outcome::Succeeded, "s3://snapshots/prod/1.db");
  auto asks = pass_on(it.view(), it.run);
  ASSERT_EQ(asks.size(), 1u);
  auto& swap = std::get<swap_status>(std::get<gateway_command>(asks[0].what));
  EXPECT_EQ(swap.object.name, "prod");
  EXPECT_EQ(swap.object.namespace_, "clusters");
  EXPECT_EQ(swap.set, json::value("s3://snapshots/prod/1.db"));
  it.say("swap-status", {});
  EXPECT_TRUE(pass_on(it.view(), it.run).empty());
  it.say("swap-status", {.code = answer_code::Unavailable});
  EXPECT_FALSE(pass_on(it.view(), it.run).empty());
  it.now += 61s;
  EXPECT_TRUE(pass_on(it.view(), it.run).empty()) << "the backup exists whatever the HostedCluster says";
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
  EXPECT_TRUE(pass_on(it.view(), it.run).empty());
}

}  // namespace
}  // namespace kopiur::hypershift
