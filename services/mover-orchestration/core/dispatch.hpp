#pragma once
#include <functional>
#include <string>
#include <vector>

#include "services/controller/core/system.hpp"
#include "services/mover-orchestration/core/engine.hpp"

/// Dispatches from the engine to the systems: finds a run's plan kind and calls it. Pure.
namespace kopiur::mover_orchestration {

using controller::cluster_view;

/// All that one object needs now, from each system. Returns nothing until the gateway has listed the cluster: before that, an object that
/// was not seen yet would count as deleted (the number of sources of a Backup, other waiters, pending requests).
controller::actions reconcile(cluster_view const& all, proto::object_ref const& object);
/// Removes Jobs that ended some time ago and that no run will read: the run is over; or the bus has lost it, and nothing in the listed
/// cluster ordered it again. `is_written`: the bus holds a record of that run, even one that we cannot parse.
std::vector<ask> removals_of_left_jobs(cluster_view const& all, std::function<bool(std::string const& run)> const& is_written);
/// The run's plan, from its plan kind. Waits until the gateway has listed the cluster: after the bus has lost everything, an object that
/// was not seen yet would count as deleted.
preparation prepare(cluster_view const& all, proto::run_state const& run);
/// As plan_kind::secure, keep and follow. Nothing is decided until the gateway has listed the cluster.
securing secure(cluster_view const& all, proto::run_state const& run, controller::plan_kind const& kind);
std::vector<ask> keep(cluster_view const& all, proto::run_state const& run, controller::plan_kind const& kind);
follow_through follow(cluster_view const& all, proto::run_state const& run, controller::plan_kind const& kind);
/// The run that holds the application which this run's hooks would quiesce; nothing: its hooks may run. Based on facts, because a lease may
/// expire during a bus outage.
std::optional<std::string> rests_already(cluster_view const& all, proto::run_state const& run);
/// The most recently ordered run that has ended and reports on the object, by kind, namespace and name; nullptr: none, or the object does
/// not exist.
proto::run_state const* last_ended(cluster_view const& all, proto::object_ref const& object);
/// Why the run should be cancelled: `G/cancel-run`, deletion of its object, or a reason of its plan kind; nothing: it should not.
std::optional<cancellation> wants_cancel(cluster_view const& all, proto::run_state const& run);

}  // namespace kopiur::mover_orchestration
