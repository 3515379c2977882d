#include "services/systems/hypershift/reconcile.hpp"

#include "services/controller/core/reference.hpp"
#include "services/systems/hypershift/plans/backup.hpp"
#include "services/systems/hypershift/request.hpp"

namespace kopiur::hypershift {

using namespace proto;

namespace {

/// What others learn of a run besides its object's status.
std::vector<controller::ask> told_of(controller::cluster_view const& all, run_state const& run) {
  std::vector<controller::ask> asks;
  if (auto event = event_of(all, run)) asks.push_back(*std::move(event));
  auto plane = control_plane_in(all.objects, run.order.object.namespace_);
  if (run.stage != run_stage::Created || !plane || !*plane) return asks;
  auto begun = begun_on_plane(**plane, run);
  if (!all.answer(swap_status::member, begun.key)) asks.push_back(std::move(begun));
  return asks;
}

}  // namespace

controller::actions reconcile(controller::cluster_view const& all, object_ref const& object) {
  controller::actions needs;
  if (auto event = left_to_another(all, object)) needs.asks.push_back(*std::move(event));
  auto wanted = find_request(all.objects, object);
  if (!wanted || wanted->meta->deletion_timestamp) return needs;
  auto id = run_of(*wanted->meta);
  if (auto* run = all.run(id))
    needs.asks = told_of(all, *run);
  else if (!is_over(*wanted))
    needs.orders.push_back({id, {.plan = std::string(backup_plan.name), .object = wanted->object}});
  return needs;
}

std::vector<controller::resync_item> resync(controller::objects const& all) {
  std::vector<controller::resync_item> items;
  for (auto& each : all_requests(all)) items.push_back({each});
  return items;
}

controller::effects affected_by(controller::objects const& all, object_ref const& changed) {
  controller::effects out;
  if (controller::is_kind_state(changed) && changed.kind == hcp_etcd_backup::info.kind)
    out.soon = all_requests(all);  // who serves the kind may have changed
  else if (visit_kind(hypershift_kinds{}, changed.kind, [](auto) { return true; }, false))
    out.at_once.push_back(changed);
  if (changed.kind == hosted_control_plane::info.kind)
    out.unblocks = [](run_state const& due) { return due.order.plan == backup_plan.name; };
  return out;
}

}  // namespace kopiur::hypershift
