#pragma once
#include <string>
#include <vector>

#include "services/cli/core/health.hpp"

namespace kopiur::cli {

/// Free space of the file systems of a data folder and of the bus' store in it, one finding each: attention below 1 GiB, bad below 64 MiB,
/// where the bus soon accepts no more messages.
std::vector<finding> room(std::string const& data);

}  // namespace kopiur::cli
