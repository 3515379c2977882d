#pragma once
#include <string>
#include <vector>

#include "services/cli/core/health.hpp"

namespace kopiur::cli {

/// How much room there is on the file systems of a data folder and of the bus' store in it, one finding each: attention below 1 GiB, bad
/// below 64 MiB, where the bus soon takes no message any more.
std::vector<finding> room(std::string const& data);

}  // namespace kopiur::cli
