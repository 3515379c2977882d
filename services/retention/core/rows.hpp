#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proto/kopiur/backup.hpp"

/// What retention looks at: Backups as rows, and the sets within which they may push each other out.
namespace kopiur::retention {

/// The snapshots of one source under one identity in one repository: nothing is ever judged against a row of another set.
struct set_key {
  std::string repository;  ///< kopia's unique id
  std::string username, hostname, source_path;
  auto operator<=>(set_key const&) const = default;
};

/// One Backup, as far as retention cares.
struct row {
  std::string id;   ///< anything that names it uniquely; breaks ties between equal times
  instant ended{};  ///< the snapshot's end time; the object's creation where there is none
  proto::backup_origin origin = proto::backup_origin::manual;
  std::optional<proto::backup_phase> phase;
  bool has_snapshot = false;  ///< status.snapshot, written by us: a label alone proves nothing
  bool pinned = false;        ///< spec.pin
  bool in_use = false;        ///< a restore reads it, or may any moment
  bool deleting = false;      ///< has a deletionTimestamp
  std::string slot;           ///< of the schedule whose history is looked at; empty: it stands alone
};

/// A row and the set that it is of.
struct catalog_row {
  set_key set;
  row content;
};

/// Sorts rows into their sets.
std::map<set_key, std::vector<row>> by_set(std::span<catalog_row const>);

}  // namespace kopiur::retention
