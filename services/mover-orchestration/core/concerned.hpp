#pragma once
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "services/controller/core/cluster_view.hpp"

/// What has to be looked at again when something changed: the map from changes to keys of the work queue. Pure.
namespace kopiur::mover_orchestration {

/// A run to advance.
struct run_key {
  std::string run;
  auto operator<=>(run_key const&) const = default;
};
/// A run to advance, or an object to reconcile.
using work_key = std::variant<run_key, proto::object_key>;

/// The runs that are not over.
struct open_runs {
  /// Those that were ordered for the object of this kind and name.
  std::function<std::vector<proto::run_state const*>(proto::object_ref const&)> of_object;
  /// Those that have no plan yet, by id.
  std::map<std::string, proto::run_state const*> const& due;
};

struct concerned {
  std::vector<work_key> now;
  std::vector<proto::object_key> soon;  ///< once for many changes
};

/// An object of the cluster changed or was deleted: the object itself, its runs, runs that may wait for such an object, and what systems
/// derive from it. The marker of the listed cluster concerns every object: none was reconciled before it.
concerned concerned_by_object(controller::cluster_view const& all, open_runs const& open, proto::object_ref const& changed);
/// A run's facts changed: the run, the runs that read its facts, and once it is planned or over the objects that it serves: a deleted
/// Backup can then disappear, and a group updates its totals.
std::vector<work_key> concerned_by_run(controller::cluster_view const& all, std::string const& run);
/// A run was granted a lease, or lost one: the run, and the runs that read its facts.
std::vector<work_key> concerned_by_lease(controller::cluster_view const& all, std::string const& run);
/// A list of snapshots arrived, or requested rows of it were read: the runs that wait for one.
std::vector<work_key> concerned_by_lists(open_runs const& open);
/// All objects that are reconciled periodically, and the last runs of those that report again.
std::vector<work_key> all_objects(controller::cluster_view const& all);

}  // namespace kopiur::mover_orchestration
