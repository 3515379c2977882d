#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "services/retention/core/policy.hpp"
#include "services/retention/core/rows.hpp"

/// Grandfather-father-son (spec/kopiur.md, "Retention"; decisions.md section 9). Pure.
namespace kopiur::retention {

/// How far a clock may be ahead of ours before an end time counts as of the future.
inline constexpr duration clock_tolerance = std::chrono::minutes(5);

/// Whether a row takes part, and if not, why: what stands outside takes nobody's place and is never pruned here.
enum class standing {
  judged,
  manual,      ///< the user's own
  discovered,  ///< catalog.retain bounds those
  unfinished,  ///< not Succeeded; failed ones have a limit of their own
  bare,        ///< no snapshot: nothing to keep or free
  pinned,
  deleting,  ///< on its way out: must not push out one that stays
  future     ///< ended after now: some clock was wrong, and it would block a place for years
};

/// Why a rule does not keep a row.
enum class miss : std::uint8_t {
  none,       ///< it keeps it, or there is no such rule
  not_first,  ///< a newer one of its hour, day, week, month or year is kept
  too_old     ///< newer ones fill the rule
};

struct verdict {
  bool keep = true;
  retention::standing standing = standing::judged;
  std::array<std::uint32_t, periods> rank{};  ///< which of the rule's places it holds, from 1 (the newest); 0: none
  std::array<miss, periods> missed{};
  bool newest = false;    ///< of all that are judged: never pruned
  bool in_use = false;    ///< kept by no rule but for the restore that reads it
  bool no_rules = false;  ///< there is no retention
};

/// Judges one set; verdict i is of row i, whatever the order of the rows. Newest first by end time, ties by id; each rule walks its own
/// calendar buckets and keeps the newest row of each of the n newest buckets that hold any. n log n, a million rows in well under a second.
std::vector<verdict> judge(std::span<row const> one_set, policy const&, instant now);

}  // namespace kopiur::retention
