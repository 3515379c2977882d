#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "common/metrics/metrics.hpp"
#include "services/controller/core/admission.hpp"
#include "services/controller/core/plan_kind.hpp"
#include "services/controller/core/timed.hpp"

/// What a product is to the services: data and pure functions. services/systems/systems.hpp lists all of them.
namespace kopiur::controller {

/// What a change of one object moves besides the object itself and its runs.
struct effects {
  std::vector<proto::object_ref> at_once;  ///< to be reconciled now
  std::vector<proto::object_ref> soon;     ///< to be reconciled once for many changes
};

/// An object that is reconciled from time to time though nothing of it changes.
struct resync_item {
  proto::object_ref object;
  bool reports = false;  ///< its last run says again what came of it, for that depends on other objects too
};

struct system {
  std::string_view name;
  std::span<plan_kind const* const> plans;
  /// All that one object needs now. Level-triggered: called whenever something that it may depend on has changed, and never before the
  /// gateway has listed the cluster.
  actions (*reconcile)(cluster_view const&, proto::object_ref const&);
  /// See resync_item.
  std::vector<resync_item> (*resync)(objects const&);
  effects (*affected_by)(objects const&, proto::object_ref const& changed);
  /// The objects whose last run says again what came of it: the change is part of that.
  std::vector<proto::object_ref> (*reported_with)(objects const&, proto::object_ref const& changed);
  /// The change may end the wait of this run, which is due and was ordered for another object.
  bool (*may_unblock)(proto::object_ref const& changed, proto::run_state const& due);
  /// The timed objects of one object; none once it is gone.
  std::vector<timed_object> (*timed)(objects const&, proto::object_ref const&);
  /// All objects that may have any.
  std::vector<proto::object_ref> (*with_clock)(objects const&);
  /// Runs that the object is due for, besides slots. `runs_of`: as in cluster_view.
  due_runs (*due_by_clock)(objects const&, proto::object_ref const&,
                           std::function<std::vector<proto::run_state const*>(std::string const& id, std::string_view plan)> const& runs_of,
                           instant now);
  std::vector<timed_wake> (*timed_wakes)(objects const&, proto::object_ref const& changed);
  /// Whether judge() has anything to say of a kind: for all others the objects beside it need not be gathered.
  bool (*judges)(std::string_view kind);
  /// What the objects beside it mean for a manifest that a user writes. Asked at admission; the services do not rely on it.
  verdict (*judge)(json::value const& manifest, objects const& beside);
  /// What the objects say now, as gauges. A series of an object goes with the object.
  void (*measure)(objects const&, metrics::registry& into);
  /// What a fact that this replica wrote adds to the counters.
  void (*count_fact)(proto::run_event const&, proto::run_state const&, metrics::registry& into);
  /// What a command that this replica sent adds to the counters.
  void (*count_command)(proto::gateway_command const&, objects const&, metrics::registry& into);
};

}  // namespace kopiur::controller
