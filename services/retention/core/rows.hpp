#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "proto/kopiur/backup.hpp"

/// Retention's input: Backups as rows, and the sets within which rows may displace each other.
namespace kopiur::retention {

/// The snapshots of one source under one identity in one repository: a row is never judged against a row of another set.
struct set_key {
  std::string repository;  ///< kopia's unique id
  std::string username, hostname, source_path;
  auto operator<=>(set_key const&) const = default;
};

/// One Backup, as far as retention needs it.
struct row {
  std::string id;   ///< a unique name; breaks ties between equal times
  instant ended{};  ///< the snapshot's end time, else the object's creation time
  proto::backup_origin origin = proto::backup_origin::manual;
  std::optional<proto::backup_phase> phase;
  bool has_snapshot = false;  ///< status.snapshot, written by us: a label alone proves nothing
  bool pinned = false;        ///< spec.pin
  bool in_use = false;        ///< a restore reads it, or may start to at any moment
  bool deleting = false;      ///< has a deletionTimestamp
  std::string slot;           ///< for trim_failed: the schedule's slot; empty: the row counts as a separate slot
};

/// A row and its set.
struct catalog_row {
  set_key set;
  row content;
};

/// Groups rows by set.
std::map<set_key, std::vector<row>> by_set(std::span<catalog_row const>);

}  // namespace kopiur::retention
