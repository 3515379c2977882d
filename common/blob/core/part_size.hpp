#pragma once
#include <cstdint>

namespace kopiur::blob {

/// The size of each part of an upload but the last, in bytes: at least `smallest`, and so much that 10,000 parts suffice, which is the most
/// that S3 takes; Azure takes 50,000.
constexpr std::uint64_t part_size(std::uint64_t length, std::uint64_t smallest) {
  constexpr std::uint64_t most_parts = 10'000, step = 1 << 20;
  auto needed = length / most_parts + (length % most_parts > 0 ? 1 : 0);
  return needed <= smallest ? smallest : (needed + step - 1) / step * step;
}

}  // namespace kopiur::blob
