#pragma once
#include <algorithm>
#include <cstdint>

#include "common/time/instant.hpp"

namespace kopiur::rules {

/// Whole seconds from `from` to `to`, as `status.timing.durationSeconds` tells them; 0 where the clock was stepped back in between.
inline std::int64_t seconds_between(instant from, instant to) {
  return std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(to - from).count(), 0);
}

}  // namespace kopiur::rules
