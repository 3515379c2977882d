#pragma once
#include "proto/kopiur/kopia_task.hpp"

/// Decides whether a snapshot has shrunk: it holds much less than an older one of its source (decisions.md section 13).
namespace kopiur::proto {

/// Whether `now` has fewer files or fewer bytes than `percent` of `before`. False if `before` is too small to judge: fewer than 20 files
/// and less than 10 MiB. Reads files and size_bytes of both.
bool is_shrunk(auto const& now, auto const& before, int percent) {
  constexpr std::int64_t enough_files = 20, enough_bytes = 10 << 20;
  auto less = [percent](std::int64_t a, std::int64_t b) { return static_cast<double>(a) * 100 < static_cast<double>(b) * percent; };
  bool large = before.files >= enough_files || before.size_bytes >= enough_bytes;
  return large && (less(now.files, before.files) || less(now.size_bytes, before.size_bytes));
}

}  // namespace kopiur::proto
