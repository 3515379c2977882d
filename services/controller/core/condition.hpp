#pragma once
#include <string>
#include <string_view>

#include "proto/events/status.hpp"

namespace kopiur::controller {

/// A condition with status True or False, not Unknown.
proto::condition_fragment condition(std::string_view type, bool holds, std::string reason, std::string message);

}  // namespace kopiur::controller
