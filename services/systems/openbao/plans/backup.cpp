#include "services/systems/openbao/plans/backup.hpp"

#include "common/encoding/text.hpp"
#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/event_once.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/openbao/lock.hpp"
#include "services/systems/openbao/plans/checks.hpp"
#include "services/systems/openbao/plans/job.hpp"
#include "services/systems/openbao/plans/restore.hpp"

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

constexpr duration whole = 40min;

preparation refuse(std::string why) { return refused{failure(failure_class::InvalidWork, std::move(why))}; }

openbao_cluster const* cluster_of(cluster_view const& all, run_state const& run) {
  auto found = find_cluster(all.objects, run.order.object.namespace_, run.order.object.name);
  return found && *found && (*found)->metadata.uid == run.order.object.uid ? *found : nullptr;
}

/// As OpenBao's operator names them: the time without colons, and some digits that tell runs apart.
std::string key_of(openbao_cluster const& cluster, run_state const& run) {
  auto time = to_text(std::chrono::floor<std::chrono::seconds>(run.ordered_at));
  std::ranges::replace(time, ':', '-');
  auto prefix = cluster.spec.backup->target.path_prefix.value_or("");
  while (prefix.ends_with('/')) prefix.pop_back();
  return (prefix.empty() ? "" : prefix + "/") + cluster.metadata.namespace_ + "/" + cluster.metadata.name + "/" + time + "-" +
         hash::digest_hex({"openbao-backup-key", run.run, to_text(run.ordered_at)}, 8) + ".snap";
}

run_plan plan_for(cluster_view const& all, openbao_cluster const& cluster, run_state const& run) {
  auto &ns = cluster.metadata.namespace_, &name = cluster.metadata.name;
  auto& backup = *cluster.spec.backup;
  auto job = job_for(ns, name, &cluster, "backup", "backup");
  add_login(job, ns, {backup.jwt_auth_role.value_or(""), backup.token_secret_ref});
  add_store(job, ns, backup.target);
  add_staging(job);
  job.pod.main.env["BACKUP_KEY"] = key_of(cluster, run);
  run_plan plan{.attempts = 2, .deadline = whole, .priority = lease_priority::Manual, .serves = {ref_of(cluster)}, .namespace_ = ns};
  plan.leases = {{.key = lease_of(all.cluster, ns, name), .mode = lease_mode::Exclusive, .wait = false}};
  plan.body = std::move(job.pod), plan.secrets = std::move(job.secrets), plan.pod = std::move(job.options);
  plan.resolved = json::value(trigger_of(cluster));
  return plan;
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* cluster = cluster_of(all, run);
  if (!cluster) return refuse("The OpenBaoCluster was deleted.");
  if (!all.can.pods) return refuse("OpenBao is backed up in a cluster only.");
  if (!cluster->spec.backup) return refuse("spec.backup is missing: it says where a backup goes.");
  auto& backup = *cluster->spec.backup;
  bool by_token = !backup.jwt_auth_role || backup.jwt_auth_role->empty();
  if (by_token && !backup.token_secret_ref) return refuse("There is no way to log in: set jwtAuthRole or tokenSecretRef in spec.backup.");
  if (!cluster->status.initialized) return refuse("The cluster is not initialized (status.initialized).");
  if (auto why = unreachable(*cluster); !why.empty()) return refuse(std::move(why));
  if (auto why = foreign_image({}, *cluster); !why.empty()) return refuse(std::move(why));
  auto& ns = cluster->metadata.namespace_;
  if (auto missing = missing_secret(all, ns, by_token, backup.token_secret_ref, backup.target, *cluster)) return *missing;
  return ready{plan_for(all, *cluster, run)};
}

securing secure(cluster_view const& all, run_state const& run) {
  auto* cluster = cluster_of(all, run);
  if (!cluster) return refused{failure(failure_class::InvalidWork, "The OpenBaoCluster was deleted.")};
  return take_lock(all, run, *cluster, backup_lock(*cluster));
}

std::vector<ask> keep(cluster_view const& all, run_state const& run) {
  auto* cluster = cluster_of(all, run);
  return cluster ? renew_lock(all, run, *cluster, backup_lock(*cluster)) : std::vector<ask>();
}

/// The status of OpenBao's operator, so that its users find it where they look for it.
json::value status_after(openbao_cluster const& cluster, run_state const& run) {
  auto next = cluster.status.backup.value_or(bao_backup_status{});
  auto said = told_by(run);
  auto time = std::chrono::floor<std::chrono::seconds>(run.observed_at.value_or(run.changed_at));
  next.last_attempt_time = time;
  if (auto* trigger = run.plan->resolved ? run.plan->resolved->as_string() : nullptr) next.last_handled_manual_trigger = *trigger;
  if (run.outcome == run_outcome::Succeeded) {
    next.last_backup_time = time, next.last_backup_name = said.key, next.last_backup_size = said.size;
    next.last_failure_reason.reset(), next.last_failure_message.reset();
  } else {
    next.last_failure_reason = run.failure ? run.failure->class_.json_text() : "Unknown";
    next.last_failure_message = !said.message.empty() ? said.message : run.failure ? run.failure->message : "";
  }
  return json::encode(next);
}

std::optional<ask> told_on(cluster_view const& all, openbao_cluster const& cluster, run_state const& run) {
  auto key = run.run + "-status";
  auto* said = all.answer(swap_status::member, key);
  if (said && (said->code == answer_code::Ok || said->code == answer_code::NotFound)) return std::nullopt;
  swap_status write{.object = ref_of(cluster), .path = {"backup"}, .whatever = true, .set = status_after(cluster, run)};
  return ask{gateway_command{std::move(write)}, std::move(key)};
}

std::optional<ask> event_of(cluster_view const& all, run_state const& run) {
  auto said = told_by(run);
  bool good = run.outcome == run_outcome::Succeeded;
  auto why = !said.message.empty() ? said.message : run.failure ? run.failure->message : "";
  record_event event{run.order.object, good ? "Normal" : "Warning", good ? "BackupSucceeded" : "BackupFailed",
                     good ? "The snapshot is " + said.key + "." : why};
  return event_once(all, std::move(event), run.run + "-event", run.observed_at.value_or(run.changed_at), 10min);
}

follow_through tell_and_release(cluster_view const& all, run_state const& run) {
  auto* cluster = cluster_of(all, run);
  if (!cluster) return {};
  for (auto one : {event_of(all, run), told_on(all, *cluster, run), release_lock(all, run, *cluster, backup_lock(*cluster))})
    if (one) return {.asks = {std::move(*one)}};
  return {};
}

}  // namespace

plan_kind const backup_plan{
    .name = "openbao-backup", .prepare = prepare, .secure = secure, .keep = keep, .follow = tell_and_release, .ends_with_its_object = true};

}  // namespace kopiur::openbao
