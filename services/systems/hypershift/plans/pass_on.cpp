#include <algorithm>
#include <chrono>

#include "services/controller/core/run_facts.hpp"
#include "services/systems/hypershift/plans/backup.hpp"

namespace kopiur::hypershift {

using namespace proto;

namespace {

/// The backup exists, whether or not the HostedCluster can say so: its end does not wait for that much longer.
constexpr duration at_most = std::chrono::seconds(60);

/// The namespace in which HyperShift keeps the control plane of a HostedCluster.
std::string home_of(std::string_view ns, std::string name) {
  std::ranges::replace(name, '.', '-');
  return std::string(ns) + "-" + name;
}

/// The HostedCluster of a control plane, as its annotation `<namespace>/<name>` says; nullptr: unknown. Who may edit a control plane could
/// name another cluster, which would then be restored from this etcd: so it counts only in the namespace of that cluster's control plane.
hosted_cluster const* owner_of(controller::objects const& all, hosted_control_plane const& plane) {
  auto named = controller::lookup(plane.metadata.annotations, annotation::hosted_cluster);
  auto slash = named.find('/');
  if (slash == named.npos) return nullptr;
  std::string ns(named.substr(0, slash)), name(named.substr(slash + 1));
  if (plane.metadata.namespace_ != home_of(ns, name)) return nullptr;
  auto found = controller::find_foreign<hosted_cluster>(all, ns, name);
  return found ? *found : nullptr;
}

bool is_done(controller::cluster_view const& all, controller::ask const& one) {
  auto* said = all.answer(swap_status::member, one.key);
  return said && (said->code == answer_code::Ok || said->code == answer_code::NotFound);
}

controller::ask url_on(hosted_cluster const& cluster, run_state const& run) {
  swap_status write{
      .object = controller::ref_of(cluster), .path = {"lastSuccessfulEtcdBackupURL"}, .expect = {}, .whatever = true, .set = url_of(run)};
  return {gateway_command{std::move(write)}, run.run + "-url"};
}

}  // namespace

/// In this order, each after the one before it is done: a late "has begun" never replaces the end.
controller::follow_through pass_on(controller::cluster_view const& all, run_state const& run) {
  auto found = control_plane_in(all.objects, run.order.object.namespace_);
  auto* plane = found ? *found : nullptr;
  if (!plane || run.attempt == 0 || all.now - run.changed_at > at_most) return {};
  std::vector<controller::ask> steps{begun_on_plane(*plane, run)};
  auto* cluster = url_of(run).empty() ? nullptr : owner_of(all.objects, *plane);
  if (cluster) steps.push_back(url_on(*cluster, run));
  steps.push_back(ended_on_plane(*plane, run));
  for (auto& each : steps)
    if (!is_done(all, each)) return {.asks = {std::move(each)}};
  return {};
}

}  // namespace kopiur::hypershift
