#include "services/mover-orchestration/core/concerned.hpp"

#include <algorithm>

#include "services/controller/core/reference.hpp"
#include "services/mover-orchestration/core/dispatch.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

/// An edit creates a new generation of the object, for which its last ended run reports again.
void add_report(std::vector<work_key>& keys, cluster_view const& all, object_ref const& object) {
  if (auto* last = last_ended(all, object)) keys.push_back(run_key{last->run});
}

void add_readers(std::vector<work_key>& keys, cluster_view const& all, run_state const& run) {
  auto* kind = find_plan(run.order.plan);
  if (!kind || !kind->concerns) return;
  for (auto& each : kind->concerns(all, run)) keys.push_back(run_key{each});
}

/// The object's runs, and the runs that read its status.
void add_own_runs(std::vector<work_key>& keys, cluster_view const& all, open_runs const& open, object_ref const& object) {
  for (auto* own : open.of_object(object)) {
    keys.push_back(run_key{own->run});
    auto* kind = find_plan(own->order.plan);
    if (kind && kind->concerns_by_status) add_readers(keys, all, *own);
  }
}

}  // namespace

concerned concerned_by_object(cluster_view const& all, open_runs const& open, object_ref const& changed) {
  if (changed.kind == job::info.kind) return {.now = {run_key{changed.name.substr(0, changed.name.rfind('-'))}}};
  if (controller::is_marker(changed)) return {.now = all_objects(all)};
  concerned found{.now = {key_of(changed)}};
  add_report(found.now, all, changed);
  add_own_runs(found.now, all, open, changed);
  for (auto* system : systems()) {
    auto more = system->affected_by(all.objects, changed);
    for (auto& [id, due] : open.due)
      if (more.unblocks(*due)) found.now.push_back(run_key{id});
    for (auto& each : more.reported) add_report(found.now, all, each);
    for (auto& each : more.at_once) found.now.push_back(key_of(each));
    for (auto& each : more.soon) found.soon.push_back(key_of(each));
  }
  return found;
}

std::vector<work_key> concerned_by_run(cluster_view const& all, std::string const& run) {
  auto keys = concerned_by_lease(all, run);
  auto* known = all.run(run);
  if (!known || (known->stage != run_stage::Prepared && known->stage != run_stage::FollowThroughComplete)) return keys;
  if (!known->plan) keys.push_back(key_of(known->order.object));
  if (known->plan)
    for (auto& each : known->plan->serves) keys.push_back(key_of(each));
  return keys;
}

std::vector<work_key> concerned_by_lease(cluster_view const& all, std::string const& run) {
  std::vector<work_key> keys{run_key{run}};
  if (auto* known = all.run(run)) add_readers(keys, all, *known);
  return keys;
}

std::vector<work_key> concerned_by_lists(open_runs const& open) {
  std::vector<work_key> keys;
  for (auto& [id, due] : open.due)
    if (auto* kind = find_plan(due->order.plan); kind && kind->awaits_lists) keys.push_back(run_key{id});
  return keys;
}

std::vector<work_key> all_objects(cluster_view const& all) {
  std::vector<work_key> keys;
  for (auto* system : systems())
    for (auto& each : system->resync(all.objects)) {
      keys.push_back(key_of(each.object));
      if (each.reports) add_report(keys, all, each.object);
    }
  return keys;
}

}  // namespace kopiur::mover_orchestration
