#pragma once
#include <string>
#include <vector>

#include "services/cli/core/findings.hpp"

namespace kopiur::cli {

/// Free space of the file systems of a data folder and of the bus' store in it, one finding each (see disk_finding).
std::vector<finding> room(std::string const& data);

}  // namespace kopiur::cli
