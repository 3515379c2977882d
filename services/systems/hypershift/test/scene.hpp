#pragma once
#include "proto/codec.hpp"
#include "services/controller/test/stage.hpp"
#include "services/systems/hypershift/plans/backup.hpp"

namespace kopiur::hypershift::test {

using namespace proto;
using namespace std::chrono_literals;

/// One control plane with one request, and what the gateway has answered.
class scene : public controller::test::stage {
 public:
  etcd_backup* request = nullptr;
  run_state run;

  scene() {
    now = instant(1'000'000s), can = {.operator_namespace = "hypershift", .pods = true};
    objects.listed = true;
    for (auto* kind : {"HostedControlPlane", "HostedCluster", "HCPEtcdBackup"}) objects.presences[kind] = kind_presence::Listed;
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
    run.stage = run_stage::FollowThroughComplete, run.outcome = outcome, run.changed_at = now, run.attempt = 1;
    job_result result(pod_report{.run = run.run, .outcome = proto::outcome::Succeeded, .text = std::move(text)});
    run.result = std::move(result);
  }
};

/// An HCPEtcdBackup in the same namespace.
inline hcp_etcd_backup& add_shipped(scene& it, std::string const& name, instant created = {}) {
  auto& one = it.objects.of<hcp_etcd_backup>()[{"clusters-prod", name}];
  one.kind = "HCPEtcdBackup", one.metadata.name = name, one.metadata.namespace_ = "clusters-prod", one.metadata.uid = name;
  one.metadata.creation_timestamp = created;
  one.spec.storage.s3 = hcp_etcd_backup_s3{.bucket = "b", .region = "r", .key_prefix = "p", .credentials = {"keys"}};
  return one;
}

}  // namespace kopiur::hypershift::test
