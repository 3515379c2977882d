#pragma once
#include <algorithm>
#include <chrono>
#include <vector>

namespace kopiur::bench {

double milliseconds(auto span) { return std::chrono::duration<double, std::milli>(span).count(); }

/// The quantile at `part` (0..1); sorts the values. 0 when there are none.
inline double quantile(std::vector<double>& values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1, static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

}  // namespace kopiur::bench
