#pragma once
#include <optional>
#include <string>

#include "common/json/value.hpp"

namespace kopiur::gateway::kubernetes {

/// Of what `GET /version` answers: why we do not work with that API server; nothing, where we do, or where it does not tell.
/// From 1.31 on a Job is told as Failed or Complete only once none of its pods runs (kubernetes.io, "Terminal Job conditions"). Before that
/// a mover that still wrote could be taken for ended, and another one be started beside it.
std::optional<std::string> too_old(json::value const& version);

}  // namespace kopiur::gateway::kubernetes
