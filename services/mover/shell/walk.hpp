#pragma once
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
/// larger than the last; the data folder holds passwords, and of it only users' volumes are saved. Throws InvalidWork where the root is the
/// repository, Unknown where the folders are nested too deeply, and
/// SourceUnreadable where there are so many such names that not all can be left out.
odd_names find_odd_names(std::string const& root, own_places const& ours = {});

}  // namespace kopiur::mover
