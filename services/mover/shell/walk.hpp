#pragma once
#include <string>

#include "services/mover/core/names.hpp"

namespace kopiur::mover {

/// Walks a folder and all below it, and finds the names that kopia cannot keep. Memory is one open folder for each level. Follows no link;
/// folders that cannot be read are passed over, for kopia tells of them. Throws Unknown where the folders are nested too deeply, and
/// SourceUnreadable where there are so many such names that not all can be left out.
odd_names find_odd_names(std::string const& root);

}  // namespace kopiur::mover
