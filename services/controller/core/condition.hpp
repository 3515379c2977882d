#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "proto/events/status.hpp"

namespace kopiur::controller {

/// A condition with status True or False, not Unknown.
proto::condition_fragment condition(std::string_view type, bool holds, std::string reason, std::string message);

/// The condition of that type; nullptr: there is none.
proto::condition const* find_condition(std::vector<proto::condition> const& all, std::string_view type);

}  // namespace kopiur::controller
