#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

/// unquiesce: the bus has lost the run that quiesced an application. This run calls the after-hooks as soon as no mover reads the quiesced
/// volumes, whatever happens to the Backups: those that start over run the before-hooks again.
namespace kopiur::plans {

using namespace proto;

namespace {

/// It waits for a mover from before the loss, which has its own deadline.
constexpr duration deadline = std::chrono::days(7);

/// Waits for the movers from before the loss. Movers of Backups that still exist may finish, because the new runs use their results. All
/// others are stopped.
std::optional<wait> until_nothing_reads(cluster_view const& all, backup_config const& config) {
  constexpr duration look_again{15'000};
  bool live = rests_until(copying_of(all, config)) == rest_until::Read;
  std::optional<std::string> reader;
  std::vector<ask> asks;
  for (auto* one : rules::backups_of(all.objects, config))
    for (auto* each : controller::jobs_of(all.objects, one->metadata.namespace_, backup_run_id(all, *one))) {
      if (each->status.pods_gone) continue;
      if (one->metadata.deletion_timestamp)
        asks.push_back(controller::stop_left_job(*each));
      else if (live || !each->status.started_at)
        reader = each->run;
    }
  if (!reader && asks.empty()) return {};
  auto message = reader ? "Waiting until the mover of run " + *reader + ", which reads the data at rest, has ended."
                        : std::string("Waiting until the movers of deleted Backups have stopped.");
  return wait{.why = {"MoverReads", std::move(message)}, .look_again = all.now + look_again, .asks = std::move(asks)};
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* config = ordered_config(all, run);
  if (!config) return refused{invalid("BackupConfig " + run.order.object.name + " no longer exists, so its hooks are unknown.")};
  if (auto held = until_nothing_reads(all, *config)) return *std::move(held);
  run_plan plan{.deadline = deadline, .namespace_ = config->metadata.namespace_, .gathers = true};
  if (auto no = add_hooks(all, *config, copying_of(all, *config), run, plan)) return *no;
  plan.before.clear();
  return ready{std::move(plan)};
}

/// Whether the application may be quiesced. A run pins its plan in the status before it quiesces anything, and the Backup does not end
/// before the application is released.
bool may_have_rested(cluster_view const& all, backup const& object) {
  bool pinned = object.status.resolved && !object.status.snapshot && !rules::has_ended(object.status.phase);
  if (!pinned) return false;
  auto* run = all.run(backup_run_id(all, object));
  return !run || run->stage == run_stage::Due;
}

}  // namespace

std::optional<new_run> unquiesce_for(cluster_view const& all, backup const& object) {
  if (!object.spec.config_ref || !may_have_rested(all, object)) return {};
  auto* config = controller::find(all.objects.of<backup_config>(), object.metadata.namespace_, object.spec.config_ref->name);
  bool has_any = config && config->spec.hooks && !config->spec.hooks->after_snapshot.empty();
  auto id = has_any ? "unquiesce-" + hash::digest_hex({config->metadata.uid}, 16) : std::string();
  if (!has_any || all.run(id)) return {};
  return new_run{.id = std::move(id), .order = {.plan = std::string(unquiesce_plan.name), .object = controller::ref_of(*config)}};
}

plan_kind const unquiesce_plan{.name = "unquiesce", .prepare = prepare, .sharing_hooks = sharing_ordered_hooks};

}  // namespace kopiur::plans
