#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "services/mover/core/names.hpp"

namespace kopiur::mover {

/// Identifies kopiur's own data for the walk.
struct own_places {
  std::string unique_ID;    ///< of the snapshot's repository; empty: not known
  std::string data_folder;  ///< of `kopiur up`; empty: it does not exist
};

/// Walks a folder tree and finds the names that kopia cannot store. Memory is one open folder per level. Does not follow links. Skips
/// folders that cannot be read, because kopia reports them. Excludes the repository itself or a copy of it, which would make each snapshot
/// larger than the last. Excludes the data folder, which contains passwords, except for users' volumes.
class name_walk {
 public:
  name_walk(std::string const& root, own_places ours = {});
  ~name_walk();
  name_walk(name_walk const&) = delete;
  /// Examines up to `entries` more entries; false: none are left. Throws Unknown when the folders are nested too deeply.
  bool go_on(std::size_t entries);
  std::int64_t entries() const;  ///< examined so far
  /// The names found so far. Throws SourceUnreadable when there are too many to exclude all of them.
  odd_names found() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace kopiur::mover
