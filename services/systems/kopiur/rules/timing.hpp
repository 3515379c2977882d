#pragma once
#include <algorithm>
#include <cstdint>

#include "common/time/instant.hpp"

namespace kopiur::rules {

/// Whole seconds from `from` to `to`, for `status.timing.durationSeconds`; 0 if the clock was stepped back in between.
inline std::int64_t seconds_between(instant from, instant end) {
  return std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(end - from).count(), 0);
}

}  // namespace kopiur::rules
