#pragma once
#include <string>

#include "services/mover/core/comparison.hpp"

namespace kopiur::mover {

/// The folder that a restore writes.
class restore_target {
 public:
  explicit restore_target(std::string path) : path_(std::move(path)) {}

  /// Throws InvalidWork when its parent is on a read-only file system: kopia removes a file next to the target at the end, which fails
  /// there even when no such file exists.
  void require_writable_parent() const;
  /// Creates the target if it does not exist. Throws TargetConflict when it is not a folder.
  void require_folder() const;
  /// True when it contains anything except lost+found. Throws PermissionDenied when it cannot be read.
  bool holds_something() const;
  /// What exists at the path of an entry; does not follow links. Throws PermissionDenied when it cannot be examined.
  found_entry at(std::string const& relative) const;
  /// Throws TargetConflict, with the name, when something of another kind exists at the path of `entry`.
  void require_room_for(tree_entry const& entry) const;
  /// Creates the missing folders, from the root down, with the attributes they have in the snapshot, as far as the mover may. Does not
  /// follow links: throws TargetConflict.
  void make_folders(std::vector<tree_entry> const& from_root, proto::restore_options const& options) const;
  /// The number of files and links in the folder that the snapshot lacks; `names` are the snapshot's entries there. Everything below an
  /// extra folder counts.
  std::int64_t extra_in(std::string const& folder, std::set<std::string> const& names) const;

 private:
  std::string full_path(std::string const& relative) const { return relative.empty() ? path_ : path_ + "/" + relative; }
  std::string path_;
};

/// The rights of this process.
mover_rights own_rights();

}  // namespace kopiur::mover
