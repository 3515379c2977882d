#pragma once
#include <string>

#include "services/mover/core/comparison.hpp"

namespace kopiur::mover {

/// The folder that a restore writes.
class restore_target {
 public:
  explicit restore_target(std::string path) : path_(std::move(path)) {}

  /// Throws InvalidWork when its parent is on a read-only file system: kopia removes a file beside the target when it is done, which fails
  /// there even though no such file exists.
  void require_writable_parent() const;
  /// A target that does not exist yet is made. Throws TargetConflict when it is not a folder.
  void require_folder() const;
  /// Whether there is anything in it besides lost+found. Throws PermissionDenied when it cannot be read.
  bool holds_something() const;
  /// What stands there in the place of an entry; links are not followed. Throws PermissionDenied when it cannot be looked at.
  found_entry at(std::string const& relative) const;
  /// Throws TargetConflict, with its name, when `entry` meets something of another kind.
  void require_room_for(tree_entry const& entry) const;
  /// Makes those of the folders that are missing, from the root down, with the attributes that they have in the snapshot, as far as the
  /// mover may. Follows no link: throws TargetConflict.
  void make_folders(std::vector<tree_entry> const& from_root, proto::restore_options const& how) const;
  /// How many files and links there are in the folder that the snapshot lacks, which has `names` in it; all below such a folder counts.
  std::int64_t extra_in(std::string const& folder, std::set<std::string> const& names) const;

 private:
  std::string place(std::string const& relative) const { return relative.empty() ? path_ : path_ + "/" + relative; }
  std::string path_;
};

/// Of this process.
mover_rights own_rights();

}  // namespace kopiur::mover
