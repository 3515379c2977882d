#pragma once
#include <functional>
#include <string>
#include <vector>

#include "services/controller/core/system.hpp"
#include "services/mover-orchestration/core/engine.hpp"

/// From the engine to the systems: which plan kind a run is of, and what it says at this moment. Pure.
namespace kopiur::mover_orchestration {

using controller::cluster_view;

/// All that one object needs now, of each system. Nothing before the gateway has listed the cluster, for what is not yet seen is not gone:
/// of how many sources a Backup is, who else waits, who is still to be asked.
controller::actions reconcile(cluster_view const& all, proto::object_ref const& object);
/// What removes Jobs that ended a while ago and that no run is going to look at: the bus has lost their runs, and nobody ordered those
/// again, which the list of the cluster shows. `is_written`: there is something of that run on the bus, be it that we cannot read it.
std::vector<ask> removals_of_left_jobs(cluster_view const& all, std::function<bool(std::string const& run)> const& is_written);
/// What the run has to do, by its plan kind. Waits while the gateway has not listed the cluster: after the bus has lost everything an
/// object that is not yet seen would be taken for deleted.
preparation prepare(cluster_view const& all, proto::run_state const& run);
/// The run that holds the application which this one's hooks would bring to rest; nothing: they may. A lease may run out while the bus is
/// away; what is on record does not.
std::optional<std::string> rests_already(cluster_view const& all, proto::run_state const& run);
/// The last ordered run of those that ended and that tell of the object, by kind, namespace and name; nullptr: none, or it is not there.
proto::run_state const* last_ended(cluster_view const& all, proto::object_ref const& object);
/// Somebody wants this run to end: `G/cancel-run`, deletion of its object, or what its plan kind knows.
std::optional<cancellation> wants_cancel(cluster_view const& all, proto::run_state const& run);

}  // namespace kopiur::mover_orchestration
