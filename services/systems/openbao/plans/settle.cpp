#include "services/systems/openbao/plans/settle.hpp"

#include "common/encoding/join.hpp"
#include "common/hash/stable_hash.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/openbao/plans/job.hpp"

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

/// One look lasts that long at most; then the next one is ordered.
constexpr duration one_look = 10min;
constexpr std::string_view healthy = "healthy", sealed = "sealed";

std::string look_id(run_state const& restore, std::string_view when, int which) {
  return "bao-settle-" + hash::digest_hex({"openbao-settle", restore.run, to_text(restore.ordered_at), when}, 16) + "-" +
         std::to_string(which);
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  if (!wanted) return refused{failure(failure_class::Cancelled, "The OpenBaoRestore was deleted.")};
  auto found = find_cluster(all.objects, wanted->metadata.namespace_, wanted->spec.cluster);
  if (!found || !*found) return refused{failure(failure_class::Cancelled, "The OpenBaoCluster was deleted.")};
  auto& cluster = **found;
  auto& ns = wanted->metadata.namespace_;
  auto job = job_for(ns, cluster.metadata.name, &cluster, "restore", "settle");
  job.pod.main.env["SETTLE_SECONDS"] = std::to_string(std::chrono::floor<std::chrono::seconds>(one_look).count());
  run_plan plan{.attempts = 2,
                .deadline = one_look + 5min,
                .priority = lease_priority::Manual,
                .serves = {ref_of(*wanted)},
                .namespace_ = ns,
                .body = std::move(job.pod),
                .secrets = std::move(job.secrets),
                .pod = std::move(job.options)};
  return ready{std::move(plan)};
}

std::vector<std::string> concerns(cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  return wanted ? std::vector{run_of(*wanted)} : std::vector<std::string>();
}

std::string which_pods(told const& said) {
  return said.not_healthy.empty() ? std::string("a voter") : encoding::join(said.not_healthy, ", ");
}

settling waiting(told const& said) {
  if (said.voters == sealed)
    return {.reason = "WaitingForUnseal",
            .message = "OpenBao has the snapshot, but is sealed (" + which_pods(said) +
                       "): its unseal keys are those of the snapshot now. Unseal each pod by `bao operator unseal`; the lock is kept "
                       "until then."};
  return {
      .reason = "WaitingForVoters",
      .message = "OpenBao has the snapshot; waiting until its voters are healthy (" + which_pods(said) + "). The lock is kept until then."};
}

}  // namespace

plan_kind const settle_plan{.name = "openbao-settle", .prepare = prepare, .concerns = concerns};

settling settle(cluster_view const& all, run_state const& restore, std::string_view when) {
  auto said = when.empty() ? told_by(restore) : told();
  if (said.voters == healthy) return {.is_done = true};
  for (int which = 1;; ++which) {
    auto id = look_id(restore, when, which);
    auto* look = all.run(id);
    if (look && look->stage == run_stage::FollowThroughComplete) {
      if (look->outcome == run_outcome::Succeeded) return {.is_done = true};
      auto now = told_by(*look);
      if (!now.voters.empty()) said = std::move(now);
      continue;
    }
    auto out = waiting(said);
    if (!look) out.asks = {{new_run{id, {.plan = std::string(settle_plan.name), .object = restore.order.object}}, ""}};
    return out;
  }
}

}  // namespace kopiur::openbao
