#include "services/systems/hypershift/reconcile.hpp"

#include "services/systems/hypershift/plans/backup.hpp"
#include "services/systems/hypershift/request.hpp"

namespace kopiur::hypershift {

using namespace proto;

controller::actions reconcile(controller::cluster_view const& all, object_ref const& object) {
  controller::actions needs;
  auto wanted = find_request(all.objects, object);
  if (!wanted || wanted->meta->deletion_timestamp || is_over(*wanted)) return needs;
  auto run = run_of(*wanted->meta);
  if (!all.run(run)) needs.orders.push_back({run, {.plan = std::string(backup_plan.name), .object = wanted->object}});
  return needs;
}

std::vector<controller::resync_item> resync(controller::objects const& all) {
  std::vector<controller::resync_item> items;
  for (auto& each : all_requests(all)) items.push_back({each});
  return items;
}

controller::effects affected_by(controller::objects const& all, object_ref const& changed) {
  controller::effects out;
  if (find_request(all, changed)) out.at_once.push_back(changed);
  if (changed.kind == hosted_control_plane::info.kind)
    out.unblocks = [](run_state const& due) { return due.order.plan == backup_plan.name; };
  return out;
}

}  // namespace kopiur::hypershift
