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

/// Which snapshots exist, and which become Backup objects. Pure. spec/kopiur.md "Repository", "Backup"; decisions.md section 5, last line.
namespace kopiur::catalog_discovery {

/// Creates the default Maintenance of a used repository that has none, and removes it once a user's exists (decisions.md section 7).
changes default_maintenance(controller::objects const& all, rules::any_repository const& repository);

/// All repositories, of both kinds.
std::vector<proto::object_ref> all_repositories(controller::objects const& all);

/// The repositories that a changed object concerns: itself, or a Maintenance's. For a deleted Maintenance: all, since its repository is
/// unknown.
std::vector<proto::object_ref> repositories_of(controller::objects const& all, proto::object_ref const& changed);

/// Whether the number of discovered Backups may have changed: the object is a discovered Backup, or a deleted one of which only the name is
/// known. Then every repository must be counted.
bool may_change_count(controller::objects const& all, proto::object_ref const& changed);

/// What a list says as a whole, gathered row by row, since a list may be long.
class list_summary {
 public:
  void add(proto::snapshot_row const& row);
  std::int64_t snapshots() const { return std::ssize(ids_); }
  /// The sum of the newest snapshot of each source, in bytes.
  std::int64_t total_bytes() const;
  /// A digest of all snapshots, whatever their order.
  std::string content() &&;

 private:
  struct newest {
    instant end_time;
    std::int64_t size_bytes;
  };
  std::vector<std::string> ids_;
  std::map<std::string, newest> newest_;  // by identity
};

/// The head of the list that this discover run produced; the location of its pages is unchanged.
proto::snapshot_list after_list(proto::snapshot_list before, rules::any_repository const& repository, proto::run_state const& run,
                                list_summary list, instant now);

/// The repository's status from its newest connect run, its newest discover run, and the head of its list.
proto::status_fragment status_of(controller::objects const& all, rules::any_repository const& repository, proto::run_state const* connect,
                                 proto::run_state const* discover, proto::snapshot_list const& list);

/// The status of the Backup for `row` of a complete list of the repository.
proto::status_fragment status_of(proto::backup const& object, rules::any_repository const& repository, proto::snapshot_row const& row);

/// The same while no known list has such a row.
proto::status_fragment not_listed(proto::backup const& object);

/// The repository as the status of its discovered Backups names it.
proto::resolved_repository where(rules::any_repository const& repository);
/// True when the Backup was found in this very repository: a Repository and a ClusterRepository may have the same name.
bool found_in(proto::backup const& one, rules::any_repository const& repository);

/// True for a Backup of a snapshot that this service found. Only its status proves that, since only our ServiceAccount may write it; any
/// user may set labels, annotations and a name.
bool is_discovered(proto::backup const& object);
/// True for a Backup that has the name of a row, runs nothing, and has no status. Whether it represents a snapshot, and which one, is
/// decided by a list (changes::untold), never by the object.
bool awaits_status(proto::backup const& object);

}  // namespace kopiur::catalog_discovery
