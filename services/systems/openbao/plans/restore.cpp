#include "services/systems/openbao/plans/restore.hpp"

#include <algorithm>

#include "services/controller/core/condition.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/openbao/plans/checks.hpp"

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

preparation refuse(std::string why) { return refused{failure(failure_class::InvalidWork, std::move(why))}; }

std::string name_of(openbao_cluster const& one) { return "OpenBaoCluster " + one.metadata.namespace_ + "/" + one.metadata.name; }

/// What only `force` gets past; empty: nothing.
std::string unfit(openbao_cluster const& cluster) {
  if (!cluster.status.initialized)
    return name_of(cluster) + " is not initialized (status.initialized). Initialize it first, or restore with force.";
  auto* upgrading = find_condition(cluster.status.conditions, "Upgrading");
  if (upgrading && upgrading->status == condition_status::True)
    return name_of(cluster) + " is being upgraded (condition Upgrading). Wait until that is done, or restore with force.";
  return {};
}

/// Why this restore is not possible, in the order of spec/openbao-restore.md A2.1; empty: it is.
std::string impossible(openbao_restore const& wanted, openbao_cluster const& cluster) {
  auto& spec = wanted.spec;
  bool has_egress = cluster.spec.network && !cluster.spec.network->egress_rules.empty();
  if (cluster.spec.profile == "Hardened" && !has_egress)
    return name_of(cluster) + " has the profile Hardened without spec.network.egressRules: the Job would not reach the object store.";
  if (spec.override_operation_lock && !spec.force) return "overrideOperationLock needs force: true.";
  if (!spec.force)
    if (auto why = unfit(cluster); !why.empty()) return why;
  if (role_of(wanted, cluster).empty() && !spec.token_secret_ref)
    return "There is no way to log in: set jwtAuthRole or tokenSecretRef, or enable selfInit.oidc of " + name_of(cluster) + ".";
  if (auto why = unreachable(cluster); !why.empty()) return why;
  return foreign_image(spec.image, cluster);
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  if (!wanted) return refuse("The OpenBaoRestore was deleted.");
  if (!all.can.pods) return refuse("OpenBao is restored in a cluster only: its pods are found and reached there.");
  auto& ns = wanted->metadata.namespace_;
  auto found = find_cluster(all.objects, ns, wanted->spec.cluster);
  if (was_committed(*wanted)) return ready{restore_job(all, *wanted, found ? *found : nullptr)};
  if (!found && found.error() == kind_presence::NotInstalled)
    return refuse("This Kubernetes has no OpenBaoCluster: its CustomResourceDefinition is not installed.");
  if (!found)
    return wait{.why = {"ListingClusters", "Waiting until the OpenBaoClusters are listed."},
                .look_again = all.now + 10s,
                .asks = {},
                .at_most = 15min,
                .limit = {}};
  if (!*found) return refuse("There is no OpenBaoCluster " + ns + "/" + wanted->spec.cluster + ".");
  auto& cluster = **found;
  if (auto why = impossible(*wanted, cluster); !why.empty()) return refuse(std::move(why));
  bool by_token = role_of(*wanted, cluster).empty();
  if (auto missing = missing_secret(all, ns, by_token, wanted->spec.token_secret_ref, wanted->spec.source.target, cluster)) return *missing;
  return ready{restore_job(all, *wanted, &cluster)};
}

openbao_cluster const* cluster_of(cluster_view const& all, openbao_restore const& wanted) {
  auto found = find_cluster(all.objects, wanted.metadata.namespace_, wanted.spec.cluster);
  return found ? *found : nullptr;
}

securing secure(cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  auto* cluster = wanted ? cluster_of(all, *wanted) : nullptr;
  if (!cluster) return refused{failure(failure_class::InvalidWork, "The OpenBaoCluster was deleted before anything was submitted to it.")};
  return take_lock(all, run, *cluster, restore_lock(*wanted));
}

std::vector<ask> keep(cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  auto* cluster = wanted ? cluster_of(all, *wanted) : nullptr;
  return cluster ? renew_lock(all, run, *cluster, restore_lock(*wanted)) : std::vector<ask>();
}

/// The service account disappears with the cluster: a pod that has not started never will.
std::optional<cancellation> without_target(cluster_view const& all, run_state const& run) {
  bool waits = run.stage == run_stage::Created && !run.started_at && all.objects.listed;
  auto target = waits ? target_of(all.objects, run) : std::nullopt;
  if (!target || *target) return {};
  return cancellation{.why = "The OpenBaoCluster was deleted before the Job's pod started.", .as = failure_class::InvalidWork};
}

/// From the commit on a restore drains: nobody can tell whether OpenBao has the snapshot already.
std::optional<cancellation> cancel(cluster_view const& all, run_state const& run) {
  if (run.stage >= run_stage::Committed) return without_target(all, run);
  auto* wanted = restore_of(all.objects, run);
  auto what = "OpenBaoRestore " + run.order.object.name;
  if (!wanted) return all.objects.listed ? std::optional(cancellation{what + " was deleted"}) : std::nullopt;
  if (was_committed(*wanted)) return {};
  if (wanted->metadata.deletion_timestamp) return cancellation{what + " was deleted"};
  auto why = lookup(wanted->metadata.annotations, annotation::cancel_run);
  return why.empty() ? std::nullopt : std::optional(cancellation{std::string(why)});
}

int committed_before(cluster_view const& all, run_state const& run) {
  auto* wanted = restore_of(all.objects, run);
  return wanted && was_committed(*wanted) ? 1 : 0;
}

bool receipt(cluster_view const& all, run_state const& run) { return run.attempt == 0 || committed_before(all, run) == run.attempt; }

}  // namespace

plan_kind const restore_plan{.name = "openbao-restore",
                             .prepare = prepare,
                             .complete_job = add_preparation_deadline,
                             .receipt = receipt,
                             .committed_before = committed_before,
                             .cancel = cancel,
                             .report = report,
                             .secure = secure,
                             .keep = keep,
                             .follow = follow};

}  // namespace kopiur::openbao
