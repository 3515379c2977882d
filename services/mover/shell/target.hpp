#pragma once
#include <string>

#include "services/mover/core/listing.hpp"

namespace kopiur::mover {

/// The folder that a restore writes.
class restore_target {
 public:
  explicit restore_target(std::string path) : path_(std::move(path)) {}

  /// Throws InvalidWork when its parent is on a read-only file system: kopia removes a file beside the target when it is done, which fails
  /// there even though no such file exists.
  void require_writable_parent() const;
  /// Throws TargetConflict when it is no folder, or holds a link whose name has a line break, which no listing could be compared with.
  /// Returns whether there is anything in it besides lost+found. A target that does not exist yet is made.
  bool holds_something() const;
  /// Throws TargetConflict, with its name, when `entry` meets something of another kind.
  void require_room_for(listed_entry const& entry) const;

 private:
  std::string path_;
};

}  // namespace kopiur::mover
