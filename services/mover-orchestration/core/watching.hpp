#pragma once
#include "proto/events/watch.hpp"

/// For how long the cluster was seen to answer: what counts for a wait that ends when a user has not brought something in time. Pure.
namespace kopiur::mover_orchestration {

/// Between two looks that are further apart nobody watched.
inline constexpr duration watch_gap = std::chrono::seconds(150);
/// What is older is forgotten: no deadline is longer than a week.
inline constexpr duration watch_kept = std::chrono::days(8);

/// It answered at this time too. A clock that is stepped back takes the log back with it.
proto::watch_log seen_at(proto::watch_log log, instant at);
/// The time from `since` on in which it was seen to answer. Never more than has passed.
duration watched(proto::watch_log const& log, instant since);

}  // namespace kopiur::mover_orchestration
