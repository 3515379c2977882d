#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/events/run.hpp"
#include "proto/events/snapshot_list.hpp"
#include "proto/events/status.hpp"
#include "services/catalog-discovery/core/comparison.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// What snapshots exist, and which become Backup objects. Pure. spec/kopiur.md "Repository", "Backup"; decisions.md section 5, last line.
namespace kopiur::catalog_discovery {

/// The default Maintenance of a repository that is used and has none; it yields as soon as a user's is there (decisions.md section 7).
changes default_maintenance(controller::objects const& all, rules::any_repository const& repository);

/// The repositories of both kinds.
std::vector<proto::object_ref> all_repositories(controller::objects const& all);

/// The repositories that a changed object concerns: itself, a Maintenance's; of one that is gone, all, for nothing says whose it was.
std::vector<proto::object_ref> repositories_of(controller::objects const& all, proto::object_ref const& changed);

/// Whether more or fewer Backups may be discovered than before: one that is, or one that is gone, of which only the name is left, so that
/// every repository is to be counted.
bool may_change_count(controller::objects const& all, proto::object_ref const& changed);

/// The head of the list that this discover run has made; where its pages are is as before.
proto::snapshot_list after_list(proto::snapshot_list before, rules::any_repository const& repository, proto::run_state const& run,
                                std::vector<proto::snapshot_row> const& rows, instant now);

/// The repository's status from its newest connect run, its newest discover run, and what the lists said.
proto::status_fragment status_of(controller::objects const& all, rules::any_repository const& repository, proto::run_state const* connect,
                                 proto::run_state const* discover, proto::snapshot_list const& list);

/// The status of the Backup that stands for `row` of a complete list of the repository.
proto::status_fragment status_of(proto::backup const& object, rules::any_repository const& repository, proto::snapshot_row const& row);

/// The same while no list that is known has such a row.
proto::status_fragment not_listed(proto::backup const& object);

/// As a row's status names it.
proto::resolved_repository where(rules::any_repository const& repository);
/// A row of this very repository: a Repository and a ClusterRepository may have one name.
bool found_in(proto::backup const& one, rules::any_repository const& repository);

/// True for a Backup that stands for a snapshot which this service has found. Only its status says so, which nobody else may write: labels,
/// annotations and a name are anybody's.
bool is_discovered(proto::backup const& object);
/// True for a Backup that has the name of a row, runs nothing, and has no status: whether it stands for a snapshot, and for which, a list
/// says (changes::untold), never the object.
bool awaits_status(proto::backup const& object);

}  // namespace kopiur::catalog_discovery
