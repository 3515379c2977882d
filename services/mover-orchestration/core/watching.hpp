#pragma once
#include "proto/events/watch.hpp"

/// How long the cluster was seen to answer: only this time counts for a wait with a deadline for the user. Pure.
namespace kopiur::mover_orchestration {

/// Observations further apart than this leave a gap in which the cluster was not watched.
inline constexpr duration watch_gap = std::chrono::seconds(150);
/// Older gaps are dropped: no deadline is longer than a week.
inline constexpr duration watch_kept = std::chrono::days(8);

/// Records that the cluster answered at this time. A clock that is stepped back resets the log.
proto::watch_log seen_at(proto::watch_log log, instant time);
/// The part of the time from `since` on in which the cluster was seen to answer. Never more than has passed.
duration watched(proto::watch_log const& log, instant since);

}  // namespace kopiur::mover_orchestration
