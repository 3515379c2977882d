#include "services/systems/openbao/metrics.hpp"

#include <map>

#include "services/systems/openbao/plans/backup.hpp"
#include "services/systems/openbao/plans/restore.hpp"
#include "services/systems/openbao/restores.hpp"

namespace kopiur::openbao {

using namespace proto;

namespace {
double seconds(duration time) { return std::chrono::duration<double>(time).count(); }

void measure_restores(controller::objects const& all, metrics::registry& into) {
  std::map<std::pair<std::string, bao_phase>, int> counts;
  for (auto& [key, one] : all.of<openbao_restore>())
    if (one.status.phase) ++counts[{key.namespace_, *one.status.phase}];
  for (auto& [place, count] : counts)
    into.set("kopiur_openbao_restores", "OpenBaoRestores that exist, by phase. Unknown: nobody knows whether OpenBao has the snapshot.",
             count, {{"namespace", place.first}, {"phase", std::string(json::to_text(place.second))}});
}
}  // namespace

void measure(controller::objects const& all, metrics::registry& into) {
  measure_restores(all, into);
  for (auto& [key, one] : all.of<openbao_cluster>()) {
    metrics::labels const labels{{"namespace", key.namespace_}, {"name", key.name}};
    if (one.status.backup && one.status.backup->last_backup_time)
      into.set("openbao_backup_last_success_timestamp_seconds", "When a backup of the OpenBao cluster last succeeded.",
               seconds(one.status.backup->last_backup_time->time_since_epoch()), labels);
    if (auto& lock = one.status.operation_lock; lock && lock->acquired_at)
      into.set("kopiur_openbao_lock_acquired_timestamp_seconds", "Since when the operation lock is held; absent: it is free.",
               seconds(lock->acquired_at->time_since_epoch()),
               {{"namespace", key.namespace_}, {"name", key.name}, {"operation", lock->operation}});
  }
}

void count(run_event const& event, run_state const& run, metrics::registry& into) {
  if (!std::holds_alternative<run_finished>(event)) return;
  bool restores = run.order.plan == restore_plan.name;
  if (!restores && run.order.plan != backup_plan.name) return;
  auto outcome = std::string(json::to_text(run.outcome.value_or(run_outcome::Unknown)));
  into.add(restores ? "openbao_restore_total" : "openbao_backup_total", restores ? "Restores that have ended." : "Backups that have ended.",
           {{"namespace", run.order.object.namespace_}, {"outcome", outcome}});
  if (restores)
    into.observe("openbao_restore_duration_seconds", "From the request of a restore to its end.",
                 seconds(run.finished_at.value_or(run.changed_at) - run.ordered_at), {{"namespace", run.order.object.namespace_}});
}

}  // namespace kopiur::openbao
