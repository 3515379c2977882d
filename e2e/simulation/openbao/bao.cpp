#include <algorithm>

#include "e2e/simulation/datacenter.hpp"
#include "proto/codec.hpp"
#include "proto/openbao/openbao_cluster.hpp"
#include "proto/openbao/openbao_restore.hpp"
#include "services/gateway/core/jobs.hpp"

/// The Jobs of OpenBao: a model of kopiur's executor that shares no code with it, and what must hold for the locks and submissions.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

namespace {

std::string variable(sim_job const& job, char const* name) {
  auto& env = std::get<pod_plan>(job.order.body).main.env;
  auto found = env.find(name);
  return found == env.end() ? "" : found->second;
}

std::string place_of(sim_job const& job) { return variable(job, "CLUSTER_NAMESPACE") + "/" + variable(job, "CLUSTER_NAME"); }

template <class T>
std::optional<T> typed(std::map<std::string, json::value> const& objects, std::string const& ns, std::string const& name) {
  auto found = objects.find(key_text(T::info.kind, ns, name));
  auto read = found == objects.end() ? std::unexpected(json::problem{}) : json::decode<T>(found->second);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

constexpr char const* digest = "sha256:00";

}  // namespace

bool is_of_openbao(sim_job const& job) {
  auto* plan = std::get_if<pod_plan>(&job.order.body);
  return plan && plan->main.env.contains("EXECUTOR_MODE");
}

void datacenter::end_bao(std::string const& name, int exit_status, std::string text) {
  auto found = jobs_.find(name);
  if (found == jobs_.end()) return;
  auto& order = found->second.order;
  gateway::job_end end{.said = std::move(text), .exit_status = exit_status, .container = std::get<pod_plan>(order.body).main.name};
  if (exit_status != 0) end.ending = "exit status " + std::to_string(exit_status);
  finish(name, job_phase::Finished, *gateway::ended({}, order, end, home_.wall()).result);
}

/// A pod claims the submission, and submits a little later. It may die in between.
void datacenter::act_on_bao(std::string const& name) {
  auto& job = jobs_.at(name);
  auto mode = variable(job, "EXECUTOR_MODE"), ns = variable(job, "CLUSTER_NAMESPACE");
  if (!typed<openbao_cluster>(objects_, ns, variable(job, "CLUSTER_NAME"))) return end_bao(name, 3, R"({"message":"There is no leader."})");
  bool is_sealed = bao.sealed.contains(place_of(job));
  if (mode == "settle") return end_bao(name, is_sealed ? 8 : 0, is_sealed ? R"({"voters":"sealed"})" : R"({"voters":"healthy"})");
  if (is_sealed) return end_bao(name, 3, R"({"message":"The leader is sealed."})");
  if (mode == "backup") {
    ++bao.backups[place_of(job)];
    return end_bao(name, 0, R"({"key":")" + variable(job, "BACKUP_KEY") + R"(","size":9})");
  }
  auto wanted = typed<openbao_restore>(objects_, ns, variable(job, "RESTORE_REQUEST_NAME"));
  bool is_mine = wanted && wanted->metadata.uid == variable(job, "RESTORE_REQUEST_UID") && wanted->status.execution &&
                 wanted->status.execution->operation_ID == variable(job, "RESTORE_OPERATION_ID") && wanted->status.execution->stage &&
                 *wanted->status.execution->stage >= bao_stage::Committed;
  if (!is_mine) return end_bao(name, 6, R"({"message":"The object is another one."})");
  if (wanted->status.submission_claim) return;  // the loser waits until it is stopped
  bao_submission_claim claim{.pod_UID = job.seen.uid, .digest = digest, .size = 7, .claimed_at = home_.wall()};
  auto key = key_text(openbao_restore::info.kind, ns, wanted->metadata.name);
  auto next = objects_.at(key);
  next.find("status")->set("submissionClaim", json::encode(claim));
  store(key, std::move(next));
  auto then = home_.now() + luck_.between(10ms, 2s);
  home_.at(then, [this, name, uid = wanted->metadata.uid] { submit_to_bao(name, uid); });
  if (bao.without_claims) home_.at(then + 50ms, [this, name, uid = wanted->metadata.uid] { submit_to_bao(name, uid); });
}

void datacenter::submit_to_bao(std::string const& name, std::string const& uid) {
  auto found = jobs_.find(name);
  if (found == jobs_.end() || found->second.seen.status.pods_gone) return;
  auto& job = found->second;
  auto ns = variable(job, "CLUSTER_NAMESPACE");
  auto cluster = typed<openbao_cluster>(objects_, ns, variable(job, "CLUSTER_NAME"));
  if (!cluster) return end_bao(name, 7, R"({"message":"There was no answer."})");
  if (!bao.submits_nothing) {
    ++counts["submissions to OpenBao"];
    if (++bao.submissions[uid] > 1) home_.violate("18 a restore was submitted twice", uid);
    auto& lock = cluster->status.operation_lock;
    if (!lock || lock->holder != "openbaorestore/" + variable(job, "RESTORE_REQUEST_NAME"))
      home_.violate("19 a submission without the operation lock", name);
  }
  testing::chance const odds[] = {{faults.dies_after, "mover dies after acting"}, {faults.loses_result, "mover's result is lost"}};
  if (home_.draw(mover_site_, odds))
    return home_.at(home_.now() + luck_.between(100ms, 5s),
                    [this, name] { finish(name, job_phase::Lost, {}, "", "Its result was lost."); });
  auto voters = bao.sealed.contains(place_of(job)) ? "sealed" : "healthy";
  auto text = std::string(R"({"digest":")") + digest + R"(","size":7,"voters":")" + voters + R"("})";
  home_.at(home_.now() + luck_.between(100ms, 5s), [this, name, text] { end_bao(name, 0, text); });
}

/// The lock may be taken away only from a restore that is over and has no pod, or with force from what is not a restore; it may be released
/// only by its holder, whose pods are gone.
void datacenter::check_lock(json::value const& before, json::value const& after) {
  auto was = json::decode<openbao_cluster>(before), now = json::decode<openbao_cluster>(after);
  if (!was || !now || !was->status.operation_lock) return;
  auto &old = *was->status.operation_lock, *fresh = now->status.operation_lock ? &*now->status.operation_lock : nullptr;
  if (fresh && fresh->holder == old.holder && fresh->operation == old.operation) return;
  auto& ns = was->metadata.namespace_;
  auto restore_named = [&](std::string const& holder) {
    auto slash = holder.find('/');
    return holder.starts_with("openbaorestore/") ? typed<openbao_restore>(objects_, ns, holder.substr(slash + 1)) : std::nullopt;
  };
  bool works = std::ranges::any_of(jobs_, [&](auto& one) {
    return is_of_openbao(one.second) && !one.second.over() && place_of(one.second) == ns + "/" + was->metadata.name &&
           "openbaorestore/" + variable(one.second, "RESTORE_REQUEST_NAME") == old.holder;
  });
  if (works) return home_.violate("19 the operation lock was taken from a restore at work", old.holder);
  if (!fresh) return;
  auto taker = restore_named(fresh->holder), loser = restore_named(old.holder);
  bool by_force = taker && taker->spec.force && taker->spec.override_operation_lock && old.operation != "Restore";
  bool is_dead = old.holder.starts_with("openbaorestore/") && (!loser || (loser->status.phase && is_final(*loser->status.phase)));
  if (!by_force && !is_dead) home_.violate("19 the operation lock was stolen", old.holder + " -> " + fresh->holder);
}

void datacenter::check_completed(json::value const& object) {
  auto one = json::decode<openbao_restore>(object);
  if (one && one->status.phase == bao_phase::Completed && bao.submissions[one->metadata.uid] != 1)
    home_.violate("20 a restore is Completed that was not submitted", one->metadata.name);
}

}  // namespace kopiur::simulation
