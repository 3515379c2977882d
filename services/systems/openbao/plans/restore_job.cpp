#include "services/controller/core/objects.hpp"
#include "services/controller/core/rights.hpp"
#include "services/systems/openbao/plans/checks.hpp"
#include "services/systems/openbao/plans/job.hpp"
#include "services/systems/openbao/plans/restore.hpp"

/// The Job of a restore, and what its pod may do: claim the submission in its own object, and see the pods that it may submit to.
namespace kopiur::openbao {

using namespace proto;
using controller::may;
using namespace std::chrono_literals;

namespace {

/// The snapshot has to be fetched and checked in that time; after it, nothing is submitted.
constexpr duration preparation = 30min, submission = 10min;
constexpr char const* api_token = "/var/run/secrets/kubernetes.io/serviceaccount/token";

std::vector<std::string> pods_of(openbao_cluster const* cluster) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; cluster && i < cluster->spec.replicas; ++i) names.push_back(stateful_set_of(*cluster) + "-" + std::to_string(i));
  return names;
}

/// Only this restore, by name, and only the pods of this cluster.
json::value role_for(openbao_restore const& wanted, openbao_cluster const* cluster, std::string const& run) {
  constexpr char const* group = "openbao.org";
  std::vector<std::string> const me{wanted.metadata.name};
  auto rules = controller::list_of({may("get", group, "openbaorestores", me), may("patch", group, "openbaorestores/status", me)});
  if (auto pods = pods_of(cluster); !pods.empty()) rules.push(may("get", "", "pods", pods));
  return controller::role(wanted.metadata.namespace_, run, std::move(rules));
}

void add_request(bao_job& job, openbao_restore const& wanted) {
  auto& env = job.pod.main.env;
  env["RESTORE_KEY"] = wanted.spec.source.key;
  env["RESTORE_REQUEST_NAME"] = wanted.metadata.name, env["RESTORE_REQUEST_UID"] = wanted.metadata.uid;
  env["RESTORE_OPERATION_ID"] = wanted.metadata.uid;
  if (wanted.spec.force) env["RESTORE_FORCE"] = "true";
  if (wanted.spec.source.expected_digest) env["RESTORE_EXPECTED_DIGEST"] = *wanted.spec.source.expected_digest;
  if (wanted.spec.source.expected_size) env["RESTORE_EXPECTED_SIZE"] = std::to_string(*wanted.spec.source.expected_size);
  job.pod.tokens.push_back({.path = api_token});
}

}  // namespace

run_plan restore_job(controller::cluster_view const& all, openbao_restore const& wanted, openbao_cluster const* cluster) {
  auto& ns = wanted.metadata.namespace_;
  auto run = run_of(wanted);
  auto job = job_for(ns, wanted.spec.cluster, cluster, "restore", "restore");
  add_login(job, ns, {cluster ? role_of(wanted, *cluster) : "", wanted.spec.token_secret_ref});
  add_store(job, ns, wanted.spec.source.target);
  add_staging(job);
  add_request(job, wanted);
  job.pod.grants = {role_for(wanted, cluster, run), controller::role_binding(ns, run, *job.options.service_account, ns)};
  run_plan plan{.class_ = plan_class::AtMostOnce,
                .attempts = 1,
                .deadline = preparation + submission,
                .waits_unlimited = true,
                .priority = lease_priority::Manual,
                .serves = {controller::ref_of(wanted)},
                .namespace_ = ns};
  if (cluster) plan.serves.push_back(controller::ref_of(*cluster));
  plan.leases = {{.key = lease_of(all.cluster, ns, wanted.spec.cluster), .mode = lease_mode::Exclusive}};
  plan.body = std::move(job.pod), plan.secrets = std::move(job.secrets), plan.pod = std::move(job.options);
  return plan;
}

void add_preparation_deadline(run_state const& run, create_job& command) {
  auto* pod = std::get_if<pod_plan>(&command.body);
  if (pod) pod->main.env["RESTORE_PREPARATION_DEADLINE"] = to_text(run.committed_at.value_or(run.changed_at) + preparation);
}

}  // namespace kopiur::openbao
