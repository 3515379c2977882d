#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/metrics/metrics.hpp"
#include "services/controller/core/admission.hpp"
#include "services/controller/core/configuration.hpp"
#include "services/controller/core/plan_kind.hpp"
#include "services/controller/core/timed.hpp"

/// A product, as the services see it: data and pure functions. services/systems/systems.hpp lists all of them. What a system leaves out
/// does nothing.
namespace kopiur::controller {

/// What has to be looked at because one object changed, besides the object itself and its runs.
struct effects {
  std::vector<proto::object_ref> at_once;   ///< to reconcile now
  std::vector<proto::object_ref> soon;      ///< to reconcile once for many changes
  std::vector<proto::object_ref> reported;  ///< their last runs report again, because the result depends on the changed object
  /// Whether the change may end the wait of this due run, which was ordered for another object.
  bool (*unblocks)(proto::run_state const& due) = [](proto::run_state const&) { return false; };
};

/// An object that is reconciled periodically, even without changes.
struct resync_item {
  proto::object_ref object;
  bool reports = false;  ///< its last run reports its result again, which depends on other objects too
};

/// A user's manifest, and what it is judged by.
struct submission {
  json::value const& manifest;
  json::value const* current;   ///< the object that it changes, with its status; nullptr: it is new
  objects const& beside;        ///< of the kinds that users write; of the Backups of one config at least one
  configuration const* config;  ///< of the system; nullptr: it has none
};

namespace detail {
template <class Result, class... Arguments>
using function = Result (*)(Arguments...);
struct no_part {
  template <class Result, class... Arguments>
  constexpr operator function<Result, Arguments...>() const {
    return [](Arguments...) -> Result { return Result(); };
  }
};
}  // namespace detail
/// A part that a system leaves out: it does nothing, and returns an empty value.
inline constexpr detail::no_part no_part;

struct system {
  std::string_view name;
  std::span<plan_kind const* const> plans;
  /// All that one object needs now. Level-triggered: called whenever something that it may depend on has changed, and never before the
  /// gateway has listed the cluster.
  actions (*reconcile)(cluster_view const&, proto::object_ref const&);
  /// The objects to reconcile periodically.
  std::vector<resync_item> (*resync)(objects const&);
  /// The map from a changed object to all that the engine has to look at.
  effects (*affected_by)(objects const&, proto::object_ref const& changed);
  /// The same for the scheduler: what to decide by the clock again. It is apart, because the scheduler would pay for the other one at each
  /// object.
  std::vector<timed_wake> (*timed_wakes)(objects const&, proto::object_ref const& changed) = no_part;
  /// The timed objects of one object; none once it is deleted.
  std::vector<timed_object> (*timed)(objects const&, proto::object_ref const&) = no_part;
  /// All objects that may have timed objects.
  std::vector<proto::object_ref> (*with_clock)(objects const&) = no_part;
  /// The runs that the object is due for, apart from slots. `runs_of`: as in cluster_view.
  due_runs (*due_by_clock)(objects const&, proto::object_ref const&,
                           std::function<std::vector<proto::run_state const*>(std::string const& id, std::string_view plan)> const& runs_of,
                           instant now) = no_part;
  /// The objects of this kind and namespace that ended well, the oldest first: retention deletes those beyond a count. Only for kinds whose
  /// objects record one act each, which their deletion does not undo.
  std::vector<proto::object_ref> (*finished)(objects const&, std::string_view kind, std::string const& ns) = no_part;
  /// Whether judge() checks this kind: for all others the objects need not be gathered.
  bool (*judges)(std::string_view kind) = no_part;
  /// Validation beyond the manifest itself: conflicts with other objects, and with the configuration. Called at admission, before a spec is
  /// written; the services do not rely on it.
  verdict (*judge)(submission const&) = no_part;
  /// The status fragment that shows the progress of a Job, as its program reports it, on the object; none for kinds that show no progress.
  /// The gateway writes it.
  std::optional<json::value> (*progress_of)(proto::object_ref const&, json::value const& progress, instant now) = no_part;
  /// The name of its configuration's file, and how it is read; empty: it has none.
  std::string_view configuration_file{};
  configuration_result (*configure)(configuration_source const&) = no_part;
  /// Gauges of the current objects. The series of an object are removed with it.
  void (*measure)(objects const&, metrics::registry& into) = no_part;
  /// Counts a fact that this replica wrote.
  void (*count_fact)(proto::run_event const&, proto::run_state const&, metrics::registry& into) = no_part;
  /// Counts a command that this replica sent.
  void (*count_command)(proto::gateway_command const&, objects const&, metrics::registry& into) = no_part;
};

}  // namespace kopiur::controller
