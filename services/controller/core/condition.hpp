#pragma once
#include <string>
#include <string_view>

#include "proto/events/status.hpp"

namespace kopiur::controller {

/// A condition that is known to hold or not to hold.
proto::condition_fragment condition(std::string_view type, bool holds, std::string reason, std::string message);

}  // namespace kopiur::controller
