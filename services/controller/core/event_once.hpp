#pragma once
#include <optional>

#include "services/controller/core/cluster_view.hpp"

namespace kopiur::controller {

/// Records an Event under `key`; nothing once that was answered. Answers are forgotten, so it is asked for only for `within` from `since`
/// on.
std::optional<ask> event_once(cluster_view const& all, proto::record_event event, std::string key, instant since, duration within);

}  // namespace kopiur::controller
