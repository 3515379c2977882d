#include "services/systems/kopiur/metrics.hpp"

#include <algorithm>

#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

namespace kopiur::plans {

using namespace proto;
using metrics::labels;

namespace {

double seconds(instant time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }

/// For one config: the time of the last success, the Backups that failed since, and the held Backups that no good one follows.
struct record {
  std::optional<instant> success;
  std::vector<instant> failures;
  int held = 0;
};

std::map<controller::name_key, record> records(controller::objects const& all) {
  std::map<controller::name_key, record> found;
  rules::good_times good(all);
  for (auto& [key, one] : all.of<backup>()) {
    if (!one.spec.config_ref || !one.status.timing || !one.status.timing->end_time) continue;
    auto& entry = found[{key.namespace_, one.spec.config_ref->name}];
    auto time = *one.status.timing->end_time;
    entry.held += one.status.phase == backup_phase::Held && one.status.shrunk && !good.follow(one);
    if (one.status.phase == backup_phase::Failed) entry.failures.push_back(time);
    if (one.status.phase == backup_phase::Succeeded && (!entry.success || *entry.success < time)) entry.success = time;
  }
  return found;
}

void measure_configs(controller::objects const& all, metrics::registry& into) {
  auto found = records(all);
  for (auto& [key, config] : all.of<backup_config>()) {
    auto& entry = found[key];
    labels which{{"backup_config", key.name}, {"namespace", key.namespace_}};
    if (entry.success)
      into.set("kopia_operator_backup_last_success_timestamp_seconds", "When a Backup of the config last succeeded.",
               seconds(*entry.success), which);
    auto failed = std::ranges::count_if(entry.failures, [&](instant time) { return !entry.success || time > *entry.success; });
    into.set("kopia_operator_backup_consecutive_failures", "Backups of the config that failed since one last succeeded.",
             static_cast<double>(failed), which);
    into.set("kopia_operator_backups_held",
             "Backups that hold much less than the one before them, which nobody has accepted, and which no good one follows.", entry.held,
             which);
  }
}

void measure_maintenance(maintenance const& one, std::optional<maintenance_run_status> const& last, char const* kind,
                         metrics::registry& into) {
  if (!last || !last->last_success_at) return;
  into.set("kopia_maintenance_last_success_timestamp_seconds", "When maintenance last succeeded.", seconds(*last->last_success_at),
           {{"kind", kind}, {"maintenance", one.metadata.name}, {"namespace", one.metadata.namespace_}});
}

}  // namespace

void measure(controller::objects const& all, metrics::registry& into) {
  measure_configs(all, into);
  for (auto& [key, one] : all.of<restore>())
    if (one.status.ownership)
      into.set("kopia_operator_restore_ownership_lost", "Entries that came back with another owner, group or mode than the snapshot has.",
               static_cast<double>(one.status.ownership->lost), {{"namespace", key.namespace_}, {"restore", key.name}});
  for (auto& [key, one] : all.of<restore>())
    if (one.status.timing && one.status.timing->duration_seconds)
      into.set("kopia_operator_restore_duration_seconds", "How long the Restore took.",
               static_cast<double>(*one.status.timing->duration_seconds), {{"namespace", key.namespace_}, {"restore", key.name}});
  for (auto& [_, one] : all.of<maintenance>())
    measure_maintenance(one, one.status.quick, "quick", into), measure_maintenance(one, one.status.full, "full", into);
}

void count(run_event const& event, run_state const& run, metrics::registry& into) {
  bool failed = std::holds_alternative<run_attempt_failed>(event);
  auto* ended = std::get_if<run_observed>(&event);
  if (run.order.plan == "delete" && (failed || (ended && ended->outcome == run_outcome::Failed)))
    into.add("kopia_operator_snapshot_deletion_failures_total", "Attempts to delete snapshots that failed.",
             {{"repository", run.order.object.name}});
  bool saved = run.order.plan == "backup" && ended && ended->outcome == run_outcome::Succeeded;
  auto* result = saved ? result_of(run) : nullptr;
  if (result && result->stats)
    into.add("kopia_backup_bytes_total", "Bytes that were read and hashed by Backups that succeeded.",
             {{"namespace", run.order.object.namespace_}}, static_cast<double>(result->stats->bytes_new));
}

void count(gateway_command const& command, controller::objects const& all, metrics::registry& into) {
  auto* event = std::get_if<record_event>(&command);
  if (!event || event->reason != snapshot_orphaned) return;
  auto* object = controller::find(all.of<backup>(), event->object.namespace_, event->object.name);
  auto resolved = object ? object->status.resolved : std::nullopt;
  into.add("kopia_operator_orphaned_snapshots_total", "Snapshots that a deleted Backup left in the repository on purpose.",
           {{"repository", resolved && resolved->repository ? resolved->repository->name : ""}});
}

}  // namespace kopiur::plans
