#include "services/systems/openbao/reconcile.hpp"

#include "services/controller/core/event_once.hpp"
#include "services/controller/core/metadata.hpp"
#include "services/controller/core/reference.hpp"
#include "services/systems/openbao/plans/backup.hpp"
#include "services/systems/openbao/plans/restore.hpp"
#include "services/systems/openbao/restores.hpp"

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

ask finalizer_on(openbao_restore const& one, bool there) {
  patch_metadata patch{.object = ref_of(one)};
  (there ? patch.add_finalizers : patch.remove_finalizers).emplace_back(finalizer::openbao_restore);
  return {gateway_command{std::move(patch)}, one.metadata.uid + (there ? "-finalizer" : "-release")};
}

/// Says once that OpenBao's operator is in charge.
std::optional<ask> left_to_operator(cluster_view const& all, openbao_restore const& one) {
  bool of_another = all.objects.presence_of<openbao_restore>() == kind_presence::OfAnother;
  if (!of_another || one.metadata.deletion_timestamp || one.status.phase) return std::nullopt;
  record_event event{ref_of(one), "Normal", "ServedByOpenBaoOperator",
                     "OpenBao's operator has defined OpenBaoRestore here and runs, so kopiur leaves this object to it."};
  return event_once(all, std::move(event), one.metadata.uid + "-of-another", all.now, 10min);
}

/// A restore that was deleted disappears when its run is over. One that was committed is carried to its end, even if the bus has lost it.
void wind_up(openbao_restore const& one, run_state const* run, actions& needs) {
  bool drains = run ? run->stage != run_stage::FollowThroughComplete : was_committed(one) && !is_over(one);
  if (!drains && has_finalizer(one.metadata, finalizer::openbao_restore)) needs.asks.push_back(finalizer_on(one, false));
}

actions reconcile_restore(cluster_view const& all, openbao_restore const& one) {
  actions needs;
  if (auto event = left_to_operator(all, one)) needs.asks.push_back(std::move(*event));
  if (!is_ours(all.objects)) return needs;
  auto id = run_of(one);
  auto* run = all.run(id);
  if (run) needs.asks = events_of(all, *run);
  bool is_deleted = one.metadata.deletion_timestamp.has_value();
  if (is_deleted) wind_up(one, run, needs);
  bool is_wanted = !is_over(one) && (!is_deleted || was_committed(one));
  if (run || !is_wanted) return needs;
  if (!has_finalizer(one.metadata, finalizer::openbao_restore) && !is_deleted)
    needs.asks.push_back(finalizer_on(one, true));
  else
    needs.orders.push_back({id, {.plan = std::string(restore_plan.name), .object = ref_of(one)}});
  return needs;
}

actions reconcile_cluster(cluster_view const& all, openbao_cluster const& one) {
  actions needs;
  if (!is_ours(all.objects) || one.metadata.deletion_timestamp || trigger_of(one).empty()) return needs;
  auto id = backup_run_of(one);
  if (!all.run(id)) needs.orders.push_back({id, {.plan = std::string(backup_plan.name), .object = ref_of(one)}});
  return needs;
}

}  // namespace

actions reconcile(cluster_view const& all, object_ref const& object) {
  if (object.kind == openbao_restore::info.kind) {
    auto* one = find(all.objects.of<openbao_restore>(), object.namespace_, object.name);
    return one ? reconcile_restore(all, *one) : actions{};
  }
  if (object.kind != openbao_cluster::info.kind) return {};
  auto one = find_foreign<openbao_cluster>(all.objects, object.namespace_, object.name);
  return one && *one ? reconcile_cluster(all, **one) : actions{};
}

std::vector<resync_item> resync(controller::objects const& all) {
  std::vector<resync_item> items;
  for (auto& [_, one] : all.of<openbao_restore>())
    if (!is_over(one) || one.metadata.deletion_timestamp) items.push_back({ref_of(one)});
  for (auto& [_, one] : all.of<openbao_cluster>())
    if (!trigger_of(one).empty()) items.push_back({ref_of(one)});
  return items;
}

effects affected_by(controller::objects const& all, object_ref const& changed) {
  effects out;
  if (is_kind_state(changed) && (changed.kind == openbao_restore::info.kind || changed.kind == openbao_cluster::info.kind))
    for (auto& each : resync(all)) out.soon.push_back(each.object);
  else if (changed.kind == openbao_restore::info.kind || changed.kind == openbao_cluster::info.kind)
    out.at_once.push_back(changed);
  if (changed.kind == openbao_cluster::info.kind || changed.kind == secret::info.kind)
    out.unblocks = [](run_state const& due) { return due.order.plan == restore_plan.name || due.order.plan == backup_plan.name; };
  return out;
}

}  // namespace kopiur::openbao
