#include "services/systems/hypershift/metrics.hpp"

#include <map>

#include "services/systems/hypershift/plans/backup.hpp"

namespace kopiur::hypershift {

using namespace proto;

namespace {

double seconds(duration time) { return std::chrono::duration<double>(time).count(); }

template <class T>
void add_successes(controller::objects const& all, std::map<std::string, instant>& newest) {
  for (auto& [key, one] : all.of<T>()) {
    auto* success = success_in(one.status.conditions);
    if (!success) continue;
    auto& last = newest[key.namespace_];
    last = std::max(last, success->last_transition_time);
  }
}

}  // namespace

void measure(controller::objects const& all, metrics::registry& into) {
  std::map<std::string, instant> newest;
  add_successes<etcd_backup>(all, newest), add_successes<hcp_etcd_backup>(all, newest);
  for (auto& [ns, time] : newest)
    into.set("kopiur_etcd_backup_last_success_timestamp_seconds", "When a snapshot of the control plane's etcd was last completed.",
             seconds(time.time_since_epoch()), {{"namespace", ns}});
}

void count(run_event const& event, run_state const& run, metrics::registry& into) {
  if (run.order.plan != backup_plan.name || !std::holds_alternative<run_finished>(event)) return;
  auto is = verdict_of(run);
  auto& ns = run.order.object.namespace_;
  if (is.completed)
    into.observe("kopiur_etcd_backup_duration_seconds", "From the request of a snapshot of etcd to its end.",
                 seconds(run.finished_at.value_or(run.changed_at) - run.ordered_at), {{"namespace", ns}});
  else
    into.add("kopiur_etcd_backup_failures_total", "Snapshots of etcd that were not taken.",
             {{"namespace", ns}, {"reason", std::string(is.word)}});
}

}  // namespace kopiur::hypershift
