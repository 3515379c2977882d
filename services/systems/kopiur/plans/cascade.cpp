#include <algorithm>

#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"

/// `onConfigDelete: Delete` and `onScheduleDelete: Delete`: the Backups are deleted first, each by its own deletion policy. Protection and
/// pins hold these deletions like any other (decisions.md section 5).
namespace kopiur::plans {

using namespace proto;

namespace {

bool is_held(object_meta const& meta) { return controller::has_finalizer(meta, finalizer::backups_cleanup); }

ask hold(cascade const& cascade) {
  return {gateway_command{patch_metadata{.object = cascade.object, .add_finalizers = {std::string(finalizer::backups_cleanup)}}},
          cascade.object.uid + "-hold"};
}
ask release(cascade const& cascade) {
  return {gateway_command{patch_metadata{.object = cascade.object, .remove_finalizers = {std::string(finalizer::backups_cleanup)}}},
          cascade.object.uid + "-let-go"};
}

/// The policy, read live from the cluster: the user may have edited it after requesting the deletion.
enum class live { unknown, takes_backups, keeps_backups };
live policy_now(cluster_view const& all, cascade const& cascade, actions& needs) {
  auto key = cascade.object.uid + "-cascade";
  auto* said = all.answer(read_object::member, key);
  bool known = said && (said->code == answer_code::Ok || said->code == answer_code::NotFound);
  if (!known) {
    needs.asks.push_back({gateway_command{read_object{cascade.object}}, key});
    return live::unknown;
  }
  bool same =
      said->object && said->object->text("metadata.uid") == cascade.object.uid && !said->object->text("metadata.deletionTimestamp").empty();
  if (!same) return live::keeps_backups;
  auto policy = said->object->text(cascade.object.kind == backup_config::info.kind ? "spec.onConfigDelete" : "spec.onScheduleDelete");
  return policy == "Delete" ? live::takes_backups : live::keeps_backups;
}

actions reconcile_deleted(cluster_view const& all, cascade const& cascade) {
  actions needs;
  if (!is_held(cascade.meta)) return needs;
  auto policy = cascade.takes_backups ? policy_now(all, cascade, needs) : live::keeps_backups;
  if (policy == live::unknown) return needs.wake = all.now + duration(15'000), needs;
  if (policy == live::keeps_backups || cascade.backups.empty()) return needs.asks.push_back(release(cascade)), needs;
  for (auto* each : cascade.backups) {
    auto ref = controller::ref_of(*each);
    if (!each->metadata.deletion_timestamp) needs.asks.push_back({gateway_command{delete_object{.object = ref}}, ref.uid + "-cascade"});
  }
  needs.wake = all.now + duration(30'000);
  auto message = "Its Backups are deleted first, each by its own deletion policy; " + std::to_string(cascade.backups.size()) + " are left.";
  needs.statuses.push_back(claim_for(cascade.object, cascade.meta.generation, json::value::make_object(),
                                     {condition(condition_type::ready, false, "DeletingBackups", message)}));
  return needs;
}

}  // namespace

actions reconcile_cascade(cluster_view const& all, cascade const& cascade) {
  if (cascade.meta.deletion_timestamp) return reconcile_deleted(all, cascade);
  actions needs;
  if (cascade.takes_backups && !is_held(cascade.meta)) needs.asks.push_back(hold(cascade));
  if (!cascade.takes_backups && is_held(cascade.meta)) needs.asks.push_back(release(cascade));
  return needs;
}

actions reconcile_schedule(cluster_view const& all, backup_schedule const& schedule) {
  cascade cascade{.object = controller::ref_of(schedule),
                  .meta = schedule.metadata,
                  .takes_backups = schedule.spec.on_schedule_delete == on_owner_delete::Delete,
                  .backups = {}};
  for (auto& [_, one] : controller::in_namespace(all.objects.of<backup>(), cascade.object.namespace_))
    if (rules::slot_of(one, cascade.object.uid)) cascade.backups.push_back(&one);
  return reconcile_cascade(all, cascade);
}

}  // namespace kopiur::plans
