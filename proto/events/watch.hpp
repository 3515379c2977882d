#pragma once
#include <vector>

#include "common/json/describe.hpp"
#include "common/time/instant.hpp"

/// When the cluster was seen to answer. A deadline of a wait for something that a user has to bring counts this time alone: while kopiur,
/// its bus or the API server was down nobody could bring it. Written by mover-orchestration, while something waits so.
namespace kopiur::proto {

/// Nobody saw the cluster answer between.
struct outage {
  instant from{}, to{};
  bool operator==(outage const&) const = default;
};
KOPIUR_DESCRIBE(outage, (), (from, to))

struct watch_log {
  instant seen_until{};         ///< it answered then
  std::vector<outage> outages;  ///< in order, the oldest first; none of before the longest deadline that there is
  bool operator==(watch_log const&) const = default;
};
KOPIUR_DESCRIBE(watch_log, (), (seen_until, outages))

}  // namespace kopiur::proto
