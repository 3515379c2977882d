#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "services/retention/core/policy.hpp"
#include "services/retention/core/rows.hpp"

/// Grandfather-father-son (spec/kopiur.md, "Retention"; decisions.md section 9). Pure.
namespace kopiur::retention {

/// How far an end time may be ahead of our clock before it counts as in the future.
inline constexpr duration clock_tolerance = std::chrono::minutes(5);

/// Whether a row takes part, and if not, why. A row that takes no part uses no place and is never pruned here.
enum class standing {
  judged,
  manual,      ///< created by the user
  discovered,  ///< bounded by catalog.retain
  unfinished,  ///< not Succeeded; failed ones have a separate limit
  bare,        ///< no snapshot: nothing to keep or free
  pinned,
  deleting,  ///< being deleted: it must not displace a row that stays
  future     ///< ended after now: some clock was wrong, and the row would use a place for years
};

/// Why a rule does not keep a row.
enum class miss : std::uint8_t {
  none,       ///< the rule keeps it, or does not exist
  not_first,  ///< a newer row of its hour, day, week, month or year is kept
  too_old     ///< newer rows fill the rule
};

struct verdict {
  bool keep = true;
  retention::standing standing = standing::judged;
  std::array<std::uint32_t, periods> rank{};  ///< its place in each rule, from 1 (the newest); 0: none
  std::array<miss, periods> missed{};
  bool newest = false;    ///< the newest judged row: never pruned
  bool in_use = false;    ///< kept only because a restore reads it
  bool no_rules = false;  ///< no retention is configured
};

/// Judges one set; verdict i belongs to row i, in any order of rows. Newest first by end time, ties by id. Each rule walks its calendar
/// buckets and keeps the newest row of each of its n newest non-empty buckets. O(n log n): a million rows take well under a second.
std::vector<verdict> judge(std::span<row const> one_set, policy const&, instant now);

}  // namespace kopiur::retention
