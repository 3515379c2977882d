#pragma once
#include <algorithm>
#include <cstdint>

#include "common/time/instant.hpp"

/// Upper bounds of the times that users state, one for each kind of field. Admission refuses more; an object that was stored before keeps
/// it, and is read as if it stated the bound. No sum with an instant overflows then.
namespace kopiur::proto::longest {

inline constexpr std::chrono::hours jitter{7 * 24};              ///< of a slot
inline constexpr std::chrono::hours wait{30 * 24};               ///< for a snapshot, between two lists, in which deletions are counted
inline constexpr std::chrono::seconds deadline{30 * 86'400};     ///< of all attempts of a run
inline constexpr std::chrono::seconds pod_start{7 * 86'400};     ///< of the pod of one attempt
inline constexpr std::chrono::seconds precondition{7 * 86'400};  ///< until what a Backup needs is there
inline constexpr std::chrono::seconds quiesce{2 * 86'400};       ///< between hooks
inline constexpr std::chrono::seconds late_start{365 * 86'400};  ///< of a slot
inline constexpr int age_in_days = 36'500;                       ///< of a snapshot

/// The stated time, at most the bound.
inline duration within(duration bound, duration stated) { return std::min(stated, bound); }
inline duration within(duration bound, std::int64_t seconds) {
  return std::chrono::seconds(std::min(seconds, std::chrono::duration_cast<std::chrono::seconds>(bound).count()));
}

}  // namespace kopiur::proto::longest
