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

/// Members of `status.backup` with their new content; null: it is removed.
using members = std::vector<std::pair<std::string_view, json::value>>;

/// What this backup says there, where users of OpenBao's operator look for it. The trigger comes last: then the rest is there.
members said_by(run_state const& run) {
  auto said = told_by(run);
  auto ended = std::chrono::floor<std::chrono::seconds>(run.observed_at.value_or(run.changed_at));
  members out{{"lastAttemptTime", to_text(ended)}};
  if (run.outcome == run_outcome::Succeeded) {
    out.insert(out.end(),
               {{"lastBackupTime", to_text(ended)},
                {"lastBackupName", said.key},
                {"lastBackupSize", said.size},
                {"lastBackupDuration", to_text(ended - std::chrono::floor<std::chrono::seconds>(run.created_at.value_or(ended)))},
                {"lastFailureReason", {}},
                {"lastFailureMessage", {}}});
  } else {
    out.emplace_back("lastFailureReason", run.failure ? run.failure->class_.json_text() : "Unknown");
    out.emplace_back("lastFailureMessage", !said.message.empty() ? said.message : run.failure ? run.failure->message : "");
  }
  if (auto* trigger = run.plan->resolved ? run.plan->resolved->as_string() : nullptr)
    out.emplace_back("lastHandledManualTrigger", *trigger);
  return out;
}

/// One member after the other: what else is there is of another writer, and the cache may not show it yet.
std::optional<ask> told_on(cluster_view const& all, openbao_cluster const& cluster, run_state const& run) {
  for (auto& [member, content] : said_by(run)) {
    auto key = run.run + "-status-" + std::string(member);
    auto* said = all.answer(swap_status::member, key);
    if (said && (said->code == answer_code::Ok || said->code == answer_code::NotFound)) continue;
    swap_status write{.object = ref_of(cluster), .path = {"backup", std::string(member)}, .expect = {}, .whatever = true, .set = content};
    return ask{gateway_command{std::move(write)}, std::move(key)};
  }
  return std::nullopt;
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
