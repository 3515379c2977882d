#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "services/mover/core/names.hpp"

namespace kopiur::mover {

/// By what the walk knows what is kopiur's own.
struct own_places {
  std::string unique_ID;    ///< of the repository that the snapshot goes into; empty: not known
  std::string data_folder;  ///< of `kopiur up`; empty: there is none
};

/// Walks a folder and all below it, and finds the names that kopia cannot keep. Memory is one open folder for each level. Follows no link;
/// folders that cannot be read are passed over, for kopia tells of them. The repository itself, or a copy of it, would make each snapshot
/// larger than the last; the data folder holds passwords, and of it only users' volumes are saved.
class name_walk {
 public:
  name_walk(std::string const& root, own_places ours = {});
  ~name_walk();
  name_walk(name_walk const&) = delete;
  /// Looks at so many entries more; false: there are none left. Throws Unknown where the folders are nested too deeply.
  bool go_on(std::size_t entries);
  std::int64_t entries() const;  ///< looked at so far
  /// Of what was looked at. Throws SourceUnreadable where there are so many such names that not all can be left out.
  odd_names found() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace kopiur::mover
