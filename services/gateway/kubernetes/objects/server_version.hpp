#pragma once
#include <optional>
#include <string>

#include "common/json/value.hpp"

namespace kopiur::gateway::kubernetes {

/// From the answer to `GET /version`: why kopiur does not support that API server; nothing when it does, or when the version is unknown.
/// From 1.31 on a Job is reported as Failed or Complete only once none of its pods runs (kubernetes.io, "Terminal Job conditions"). With
/// older servers a mover that still writes could be considered ended, and another one be started in parallel.
std::optional<std::string> too_old(json::value const& version);

}  // namespace kopiur::gateway::kubernetes
