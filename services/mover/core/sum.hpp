#pragma once
#include <cstdint>
#include <limits>

namespace kopiur::mover {

/// The sum of two counts that kopia printed. Saturates on overflow.
inline std::int64_t sum_of(std::int64_t one, std::int64_t other) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(one, other, &sum)) return sum;
  return one < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

}  // namespace kopiur::mover
