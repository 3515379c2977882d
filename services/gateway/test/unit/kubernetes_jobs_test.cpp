#include <gtest/gtest.h>

#include <cstdlib>

#include "common/encoding/base64.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/seal.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/jobs/job_state.hpp"
#include "services/gateway/shell/settings.hpp"
#include "services/systems/kopiur/plans/plans.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using proto::answer_code;
using proto::job_phase;

pod_settings const pods{.image = "kopiur-mover:1", .seal_secret = "of this installation"};

proto::create_job command() {
  proto::create_job out{.run = "backup-1", .attempt = 2, .namespace_ = "media"};
  proto::kopia_of(out).run = "backup-1";
  proto::kopia_of(out).repository = proto::repository_access{.backend = proto::filesystem_backend{.path = "/"},
                                                             .mount = "{{repository}}",
                                                             .cache_directory = "{{cache}}",
                                                             .secrets = "{{secrets}}"};
  proto::kopia_of(out).task = proto::snapshot_work{.path = "{{source}}"};
  out.secrets = {{.secret_namespace = "media", .secret_name = "keys", .key = "password", .env = "KOPIA_PASSWORD"}};
  out.volumes = {{.name = "source", .claim_namespace = "media", .claim_name = "photos"},
                 {.name = "repository", .claim_namespace = "media", .claim_name = "store", .read_only = false}};
  return out;
}

json::value const& only(json::value const& list) { return list.as_array()->at(0); }
/// With what its plan states.
outcome<json::value> made(proto::create_job item, surroundings const& there = {}) {
  plans::state_needs(item);
  return job_manifest(item, pods, there);
}
json::value manifest(proto::create_job const& item = command()) { return made(item).value(); }
json::value const& container(json::value const& job) { return only(*job.at("spec.template.spec.containers")); }
json::value const* named(json::value const& list, std::string_view name) {
  for (auto const& each : *list.as_array())
    if (each.text("name") == name) return &each;
  return nullptr;
}
bool is(json::value const& object, std::string_view path, bool wanted) {
  auto* there = object.at(path);
  return there && there->as_bool() && *there->as_bool() == wanted;
}

TEST(JobManifest, HasTheSizeThatItsObjectStatesOrTheConfiguredOne) {
  auto settings = pods;
  settings.mover_resources = *json::parse(R"({"requests":{"cpu":"100m","memory":"256Mi"}})");
  auto item = command();
  plans::state_needs(item);
  auto usual = container(job_manifest(item, settings, {}).value());
  EXPECT_EQ(json::dump(*usual.find("resources")), R"({"requests":{"cpu":"100m","memory":"256Mi"}})");
  if (!item.pod) item.pod.emplace();
  item.pod->resources = *json::parse(R"({"limits":{"memory":"64Mi"}})");
  auto stated = container(job_manifest(item, settings, {}).value());
  EXPECT_EQ(json::dump(*stated.find("resources")), R"({"limits":{"memory":"64Mi"}})") << "a request above that limit would be refused";
  EXPECT_FALSE(container(manifest()).find("resources")) << "nothing is configured";
}

TEST(Settings, SayTheSizeOfMovers) {
  auto options = [](char const* text) {
    ::setenv("KOPIUR_MOVER_RESOURCES", text, 1);
    auto read = options_of({.cluster = "local", .adapter = "kubernetes"}).kubernetes->mover_resources;
    ::unsetenv("KOPIUR_MOVER_RESOURCES");
    return read;
  };
  EXPECT_EQ(options(R"({"requests":{"cpu":"1"}})")->text("requests.cpu"), "1");
  EXPECT_FALSE(options(""));
  EXPECT_THROW(options("256Mi"), std::invalid_argument);
  ::unsetenv("KOPIUR_MOVER_RESOURCES");
}

TEST(JobManifest, IsHardenedAndRunsOnce) {
  auto job = manifest();
  EXPECT_EQ(job.text("metadata.name"), "backup-1-2");
  EXPECT_EQ(*job.at("spec.backoffLimit")->as_int(), 0);
  EXPECT_FALSE(job.at("spec.ttlSecondsAfterFinished")) << "the engine removes it";
  auto& pod = *job.at("spec.template.spec");
  EXPECT_TRUE(is(pod, "automountServiceAccountToken", false));
  EXPECT_TRUE(is(pod, "securityContext.runAsNonRoot", true));
  EXPECT_EQ(pod.text("securityContext.seccompProfile.type"), "RuntimeDefault");
  EXPECT_TRUE(is(container(job), "securityContext.allowPrivilegeEscalation", false));
  EXPECT_TRUE(is(container(job), "securityContext.readOnlyRootFilesystem", true));
  EXPECT_EQ(json::dump(*container(job).at("securityContext.capabilities")), R"({"drop":["ALL"]})");
}

/// A run whose mover a policy refuses must still come to its end.
TEST(JobManifest, OfATombstonePassesThePoliciesOfACluster) {
  auto job = tombstone("backup-1", "backup-1-2", "media", {.image = "movers:1"}, instant{}, std::chrono::minutes(5));
  EXPECT_TRUE(is(*job.at("spec.template.spec"), "securityContext.runAsNonRoot", true));
  EXPECT_TRUE(is(container(job), "securityContext.allowPrivilegeEscalation", false));
  EXPECT_EQ(container(job).text("resources.limits.memory"), "16Mi");
  EXPECT_EQ(container(job).text("image"), "movers:1");
  EXPECT_EQ(*job.at("spec.parallelism")->as_int(), 0);
}

/// A fresh volume belongs to root. The kubelet gives the mover access by a group, and would change all other mounted volumes too.
TEST(JobManifest, TakesOverAVolumeThatIsNobodys) {
  auto group = [](proto::create_job const& item, bool fresh = false) {
    auto job = made(item, {.fresh_target = fresh}).value();
    auto* number = job.at("spec.template.spec.securityContext.fsGroup");
    return number ? *number->as_int() : 0;
  };
  auto wish = command();
  EXPECT_EQ(group(wish), 0) << "the source is somebody's";
  proto::kopia_of(wish).task = proto::restore_work{.target = "{{target}}"};
  wish.volumes.front() = {.name = "target", .claim_namespace = "media", .claim_name = "data", .read_only = false};
  EXPECT_EQ(group(wish), 0) << "an existing claim is somebody's";
  EXPECT_EQ(group(wish, true), 65532);
  wish.volumes.erase(wish.volumes.begin());
  proto::kopia_of(wish).task = proto::connect_work{};
  EXPECT_EQ(group(wish), 65532);
  wish.pod = json::read<proto::pod_options>(R"({"podSecurityContext":{"fsGroup":7}})").value();
  EXPECT_EQ(group(wish), 7);
}

/// The same group, so only when it does not apply to data of users.
TEST(JobManifest, HasItsCacheOnAVolumeOfAClass) {
  auto pod_of = [](proto::create_job const& item) { return *manifest(item).at("spec.template.spec"); };
  auto on_the_node = [](json::value const& pod) { return named(*pod.find("volumes"), "cache")->find("emptyDir") != nullptr; };
  auto group = [](json::value const& pod) { return pod.at("securityContext.fsGroup") ? *pod.at("securityContext.fsGroup")->as_int() : 0; };
  auto source = [](json::value const& pod) { return json::dump(*named(*pod.find("volumes"), "claim-source")); };
  auto wish = command();
  wish.pod = json::read<proto::pod_options>(R"({"cache":{"storageClassName":"fast","capacity":"8Gi"}})").value();
  auto backup = pod_of(wish);
  auto* claim = named(*backup.find("volumes"), "cache")->at("ephemeral.volumeClaimTemplate");
  ASSERT_TRUE(claim) << json::pretty(backup);
  EXPECT_EQ(json::dump(*claim->find("spec")),
            R"({"accessModes":["ReadWriteOnce"],"storageClassName":"fast","resources":{"requests":{"storage":"8Gi"}}})");
  json::value seen = *claim;
  seen.set("kind", "PersistentVolumeClaim");
  EXPECT_TRUE(is_of_a_mover(seen)) << "services would take it for a user's";
  EXPECT_TRUE(brings_volumes(manifest(wish)));
  EXPECT_FALSE(brings_volumes(manifest()));
  EXPECT_EQ(group(backup), 65532);
  EXPECT_NE(source(backup).find(R"("readOnly":true)"), std::string::npos) << "or the kubelet would give that group to the user's files";
  EXPECT_EQ(source(pod_of(command())).find("readOnly"), std::string::npos);

  wish.pod = json::read<proto::pod_options>(R"({"cache":{"storageClassName":"fast"},"podSecurityContext":{"fsGroup":7}})").value();
  EXPECT_EQ(named(*pod_of(wish).find("volumes"), "cache")->text("ephemeral.volumeClaimTemplate.spec.resources.requests.storage"), "10Gi");
  EXPECT_EQ(source(pod_of(wish)).find("readOnly"), std::string::npos) << "his group is meant for the source too";

  wish.pod = json::read<proto::pod_options>(R"({"cache":{"storageClassName":"fast"}})").value();
  proto::kopia_of(wish).task = proto::restore_work{.target = "{{target}}"};
  wish.volumes.front() = {.name = "target", .claim_namespace = "media", .claim_name = "data", .read_only = false};
  EXPECT_TRUE(on_the_node(pod_of(wish))) << "what is in the target is somebody's";
  EXPECT_EQ(group(pod_of(wish)), 0);
  wish.pod = json::read<proto::pod_options>(R"({"cache":{"storageClassName":"fast"},"securityContext":{"runAsUser":0}})").value();
  EXPECT_FALSE(on_the_node(pod_of(wish))) << "root can write there without a group";
  EXPECT_EQ(group(pod_of(wish)), 0);
}

TEST(JobManifest, MountsClaimsBelowAFolderThatMayBeWritten) {
  auto job = manifest();
  auto& mounts = *container(job).find("volumeMounts");
  EXPECT_EQ(named(mounts, "volumes")->text("mountPath"), "/volumes");
  EXPECT_EQ(named(mounts, "claim-source")->text("mountPath"), "/volumes/source");
  EXPECT_TRUE(is(*named(mounts, "claim-source"), "readOnly", true));
  EXPECT_TRUE(is(*named(mounts, "claim-repository"), "readOnly", false));
}

TEST(JobManifest, HoldsNoSecretButTheWayToIt) {
  auto job = manifest();
  auto* password = named(*container(job).find("env"), "KOPIA_PASSWORD");
  ASSERT_TRUE(password);
  EXPECT_EQ(password->text("valueFrom.secretKeyRef.name"), "backup-1-2");
  EXPECT_EQ(password->text("valueFrom.secretKeyRef.key"), "env.KOPIA_PASSWORD");
  auto secret = job_secret(command(), "uid-7", {{"env.KOPIA_PASSWORD", "hunter2"}}).value();
  EXPECT_EQ(only(*secret.at("metadata.ownerReferences")).text("uid"), "uid-7");
  EXPECT_EQ(secret.find("data")->text("work.json").empty(), true) << "a name with a dot is no path";
  auto work = encoding::from_base64(*secret.find("data")->find("work.json")->as_string()).value();
  auto read = json::read<proto::kopia_task>(work).value();
  EXPECT_EQ(read.repository->mount, "/volumes/repository");
  EXPECT_EQ(std::get<proto::snapshot_work>(read.task).path, "/volumes/source");
  EXPECT_EQ(read.repository->secrets, "") << "no file of a Secret was asked for";
  EXPECT_EQ(*secret.find("data")->find("env.KOPIA_PASSWORD")->as_string(), encoding::base64("hunter2"));
}

TEST(JobManifest, MountsAnExport) {
  auto wish = command();
  wish.volumes.back() = {.name = "repository", .read_only = false, .nfs = proto::nfs_volume{"nas", "/export/kopia"}};
  auto job = manifest(wish);
  auto* volume = named(*job.at("spec.template.spec.volumes"), "claim-repository");
  EXPECT_EQ(json::dump(*volume->find("nfs")), R"({"server":"nas","path":"/export/kopia","readOnly":false})");
  EXPECT_EQ(named(*container(job).find("volumeMounts"), "claim-repository")->text("mountPath"), "/volumes/repository");
}

TEST(JobManifest, RunsAsTheAccountThatMayReachTheStorage) {
  auto wish = command();
  EXPECT_FALSE(manifest(wish).at("spec.template.spec.serviceAccountName"));
  proto::backend_auth const as{.secret_ref = {}, .workload_identity = proto::workload_identity{"backups"}};
  proto::kopia_of(wish).repository = proto::repository_access{.backend = proto::s3_backend{.bucket = "b", .auth = as}};
  auto job = manifest(wish);
  EXPECT_EQ(job.text("spec.template.spec.serviceAccountName"), "backups");
  EXPECT_TRUE(is(*job.at("spec.template"), "spec.automountServiceAccountToken", false)) << "no token for the API of Kubernetes";
  auto azure_label = [](json::value const& value) {
    return value.at("spec.template.metadata.labels")->find("azure.workload.identity/use");
  };
  EXPECT_FALSE(azure_label(job));
  proto::kopia_of(wish).repository =
      proto::repository_access{.backend = proto::azure_backend{.container = "c", .storage_account = "s", .auth = as}};
  EXPECT_TRUE(azure_label(manifest(wish)));
}

TEST(JobManifest, RefusesWhatAPodCannotHave) {
  auto refused = [](auto change) {
    auto wrong = command();
    change(wrong);
    auto job = made(wrong);
    return job ? "" : job.error().message;
  };
  EXPECT_NE(refused([](auto& c) { c.volumes[0] = {.name = "source", .host_path = "/srv"}; }).find("/srv"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.volumes[0].claim_namespace = "other"; }).find("one namespace"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.run = std::string(70, 'r'); }).find("63"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.secrets[0].file = "also"; }).find("plain name"), std::string::npos);
  EXPECT_NE(refused([](auto& c) { c.volumes.pop_back(); }).find("{{repository}}"), std::string::npos);
}

TEST(JobManifest, OfPlainContainersNeedsAnImageOfTheSettings) {
  proto::create_job wish{.run = "echo-1", .namespace_ = "media", .body = proto::pod_plan{.main = {.name = "echo", .image = "echo"}}};
  auto none = job_manifest(wish, pods);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, answer_code::Invalid);
  EXPECT_NE(none.error().message.find("KOPIUR_IMAGES"), std::string::npos) << none.error().message;
  auto with_image = pods;
  with_image.images["echo"] = "echo:7";
  auto job = job_manifest(wish, with_image).value();
  EXPECT_EQ(container(job).text("image"), "echo:7");
  EXPECT_EQ(container(job).text("name"), "echo");
  EXPECT_FALSE(named(*job.at("spec.template.spec.volumes"), "cache")) << "none was stated";
  EXPECT_FALSE(job_secret(wish, "uid", {})->find("data")->find("work.json")) << "nothing reads a task";
}

/// A user who may edit a workload chooses its image: it must see neither keys nor tokens.
TEST(JobManifest, ShowsSecretsAndTokensOnlyToTheContainersThatNeedThem) {
  proto::pod_plan plan{
      .init = {{.name = "fetch", .image = "ours"},
               {.name = "theirs", .image_of = proto::workload_image{"StatefulSet", "hcp", "etcd", "etcd"}, .without_secrets = true}},
      .main = {.name = "upload", .image = "ours"},
      .tokens = {{.path = "/tokens/api/token", .containers = {"fetch"}},
                 {.path = "/tokens/sts/token", .audience = "sts", .containers = {"upload"}}}};
  proto::create_job wish{.run = "etcd-1", .namespace_ = "media", .body = std::move(plan)};
  wish.secrets = {{.secret_namespace = "media", .secret_name = "keys", .key = "id", .env = "KEY_ID"},
                  {.secret_namespace = "media", .secret_name = "keys", .key = "credentials", .file = "credentials"}};
  auto settings = pods;
  settings.images["ours"] = "ours:1";
  EXPECT_FALSE(job_manifest(wish, settings)) << "the image of the workload is not known";
  auto job = job_manifest(wish, settings, {.images = {{"theirs", "etcd:3"}}}).value();
  auto& spec = *job.at("spec.template.spec");
  auto sees = [&](char const* list, std::string_view name) {
    std::string all;
    auto& one = *named(*spec.find(list), name);
    for (auto const& mount : *one.find("volumeMounts")->as_array())
      for (auto* each : {"job", "token-0", "token-1"})
        if (mount.text("name") == each) all += std::string(each) + " ";
    return all + (named(*one.find("env"), "KEY_ID") ? "env" : "");
  };
  EXPECT_EQ(sees("initContainers", "fetch"), "job token-0 env");
  EXPECT_EQ(sees("initContainers", "theirs"), "");
  EXPECT_EQ(sees("containers", "upload"), "job token-1 env");
  EXPECT_EQ(named(*spec.find("initContainers"), "theirs")->text("image"), "etcd:3");
  EXPECT_EQ(named(*spec.find("initContainers"), "theirs")->text("terminationMessagePolicy"), "FallbackToLogsOnError");
  auto sources = json::dump(*named(*spec.find("volumes"), "token-0"));
  EXPECT_NE(sources.find("kube-root-ca.crt"), std::string::npos) << "a client of the API server trusts nothing else";
  EXPECT_EQ(json::dump(*named(*spec.find("volumes"), "token-1")).find("kube-root-ca.crt"), std::string::npos);
}

TEST(JobManifest, LaysTheUsersWishesOverTheHardenedOnes) {
  auto wish = command();
  wish.pod =
      json::read<proto::pod_options>(R"({"resources":{"limits":{"memory":"1Gi"}},"podSecurityContext":{"runAsUser":1000,"fsGroup":1000},
    "securityContext":{"capabilities":{"add":["DAC_READ_SEARCH"]}},"cache":{"capacity":"8Gi"}})")
          .value();
  auto job = manifest(wish);
  EXPECT_EQ(container(job).text("resources.limits.memory"), "1Gi");
  EXPECT_EQ(*job.at("spec.template.spec.securityContext.runAsUser")->as_int(), 1000);
  EXPECT_TRUE(is(*job.at("spec.template.spec"), "securityContext.runAsNonRoot", true));
  EXPECT_EQ(json::dump(*container(job).at("securityContext.capabilities")), R"({"drop":["ALL"],"add":["DAC_READ_SEARCH"]})");
  EXPECT_EQ(named(*job.at("spec.template.spec.volumes"), "cache")->text("emptyDir.sizeLimit"), "8Gi");
}

TEST(JobManifest, IsBelievedOnlyUnderOurSealAndItsOwnName) {
  auto job = manifest();
  EXPECT_EQ(command_of(job, pods.seal_secret)->run, "backup-1");
  EXPECT_FALSE(command_of(job, "of another installation"));
  auto moved = job;
  moved.find("metadata")->set("namespace", "mine");
  EXPECT_FALSE(command_of(moved, pods.seal_secret)) << "a copy in another namespace";
  auto changed = job;
  auto other = command();
  other.secrets[0].secret_namespace = "kube-system";
  changed.find("metadata")->find("annotations")->set(ours("create-job"), json::write(other));
  EXPECT_FALSE(command_of(changed, pods.seal_secret));
}

// ---- the state of a Job and its pod

json::value object(std::string_view text) { return json::parse(text).value(); }
auto const job_runs = object(R"({"kind":"Job","status":{"active":1}})");
auto const job_failed = object(R"({"kind":"Job","status":{"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded",
  "message":"Job has reached the specified backoff limit"}]}})");
auto const job_late =
    object(R"({"kind":"Job","status":{"conditions":[{"type":"FailureTarget","status":"True","reason":"DeadlineExceeded"}]}})");

json::value pod(std::string_view phase, std::string_view state, std::string_view more = "") {
  return object(R"({"kind":"Pod","status":{"phase":")" + std::string(phase) + R"(","containerStatuses":[{"name":"mover","state":)" +
                std::string(state) + "}]" + std::string(more) + "}}");
}
proto::job_status final_status(job_sight const& sight) {
  proto::create_job command{.run = "r", .attempt = 1};
  return ended(sight.status, command, sight.end, {});
}
std::string const result = R"({\"version\":1,\"run\":\"r\",\"attempt\":1,\"outcome\":\"Succeeded\"})";

TEST(JobState, WaitsWithAReason) {
  EXPECT_EQ(look_at(job_runs, nullptr, false).status.phase, job_phase::Starting);
  auto creating = pod("Pending", R"({"waiting":{"reason":"ContainerCreating"}})");
  EXPECT_EQ(look_at(job_runs, &creating, false).status.reason, "") << "as every pod for a moment";
  auto no_image = pod("Pending", R"({"waiting":{"reason":"ErrImageNeverPull","message":"no such image"}})");
  auto seen = look_at(job_runs, &no_image, false);
  EXPECT_EQ(seen.status.reason, "ErrImageNeverPull");
  EXPECT_EQ(seen.status.message, "no such image");
  EXPECT_FALSE(seen.over || seen.has_log);
  auto nowhere = object(
      R"({"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/1 nodes"}]}})");
  EXPECT_EQ(look_at(job_runs, &nowhere, false).status.reason, "Unschedulable");
}

/// spec/openbao-restore.md A6.3: a pod that failed is not the end, while another one may work.
TEST(JobState, IsOverOnlyWhenTheKubeletSaysSo) {
  auto one_failed = object(R"({"kind":"Job","status":{"failed":1,"active":1}})");
  EXPECT_FALSE(look_at(one_failed, nullptr, false).over);
  auto running = pod("Running", R"({"running":{"startedAt":"2026-11-22T08:00:00Z"}})");
  EXPECT_TRUE(look_at(job_runs, &running, false).has_log);
  EXPECT_FALSE(look_at(job_runs, &running, false).over);
  EXPECT_FALSE(look_at(job_failed, &running, false).over) << "the watches are not in step";
  EXPECT_TRUE(look_at(job_failed, &running, true).over);
  EXPECT_FALSE(look_at(job_runs, &running, true).over) << "its Job may not know yet";
  EXPECT_TRUE(look_at(job_failed, nullptr, false).over);
}

TEST(JobState, FinishesWithTheResultInTheTerminationMessage) {
  auto done = pod("Succeeded", R"({"terminated":{"exitCode":0,"message":")" + result +
                                   R"(","startedAt":"2026-11-22T08:00:00Z","finishedAt":"2026-11-22T08:00:05Z"}})");
  auto sight = look_at(job_runs, &done, false);
  ASSERT_TRUE(sight.over);
  auto status = final_status(sight);
  EXPECT_EQ(status.phase, job_phase::Finished);
  EXPECT_EQ(status.result->outcome, proto::outcome::Succeeded);
  EXPECT_EQ(to_text(*sight.status.finished_at), "2026-11-22T08:00:05Z");
}

TEST(JobState, IsLostWithASentence) {
  auto killed = pod("Failed", R"({"terminated":{"exitCode":137,"reason":"Error"}})");
  EXPECT_NE(final_status(look_at(job_runs, &killed, false)).message.find("signal 9"), std::string::npos);
  auto memory = pod("Failed", R"({"terminated":{"exitCode":137,"reason":"OOMKilled"}})");
  EXPECT_NE(final_status(look_at(job_runs, &memory, false)).message.find("limits.memory"), std::string::npos);
  auto evicted = object(R"({"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource"}})");
  auto sight = look_at(job_runs, &evicted, false);
  EXPECT_TRUE(sight.over);
  EXPECT_EQ(sight.end.ending, "Evicted: The node was low on resource");
  EXPECT_FALSE(sight.end.started);
  EXPECT_EQ(final_status(sight).message, "The mover was never started (Evicted: The node was low on resource).");
  auto late = pod("Failed", R"({"terminated":{"exitCode":1}})");
  EXPECT_EQ(final_status(look_at(job_late, &late, false)).reason, "DeadlineExceeded");
}

/// Init containers run before the main one, which then has no state of its own.
TEST(JobState, IsThatOfAnInitContainerThatFailed) {
  auto failed = object(R"({"status":{"phase":"Failed","initContainerStatuses":[
    {"name":"first","state":{"terminated":{"exitCode":0}}},{"name":"fetch","state":{"terminated":{"exitCode":3,"message":"no route"}}}],
    "containerStatuses":[{"name":"main","state":{"waiting":{"reason":"PodInitializing"}}}]}})");
  auto sight = look_at(job_failed, &failed, false);
  EXPECT_TRUE(sight.over);
  EXPECT_EQ(sight.end.container, "fetch");
  EXPECT_EQ(sight.end.exit_status, 3);
  EXPECT_EQ(sight.end.said, "no route");
  EXPECT_EQ(sight.end.ending, "exit status 3");
}

TEST(JobState, TakesTheNewestWarningOfEach) {
  auto condition = [](std::string uid, std::string type, std::string reason, std::string since) {
    return object(R"({"involvedObject":{"uid":")" + uid + R"("},"type":")" + type + R"(","reason":")" + reason +
                  R"(","message":"a sentence","lastTimestamp":"2026-11-22T08:0)" + since + R"(Z"})");
  };
  auto found = newest_warnings({condition("a", "Warning", "FailedMount", "0:00"), condition("b", "Warning", "FailedMount", "0:10"),
                                condition("a", "Warning", "FailedCreate", "0:09"), condition("a", "Normal", "Scheduled", "1:00")});
  EXPECT_EQ(found, (warnings{{"a", {"FailedCreate", "a sentence"}}, {"b", {"FailedMount", "a sentence"}}}));
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
