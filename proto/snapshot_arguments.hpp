#pragma once
#include <algorithm>
#include <array>
#include <string_view>

namespace kopiur::proto {

/// Whether `policy.extraArgs` may contain it: arguments of `kopia snapshot create` that change neither what is saved nor what is kept.
inline bool is_snapshot_argument(std::string_view argument) {
  static constexpr std::array<std::string_view, 4> with_value{"--parallel=", "--force-hash=", "--log-dir-detail=", "--log-entry-detail="};
  return argument == "--fail-fast" || argument == "--no-fail-fast" ||
         std::ranges::any_of(with_value, [&](auto prefix) { return argument.starts_with(prefix); });
}

}  // namespace kopiur::proto
