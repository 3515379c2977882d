#pragma once
#include <vector>

#include "common/json/describe.hpp"
#include "common/time/instant.hpp"

/// When the cluster was seen to answer. Deadlines of waits for user action count only this time, because users cannot act while kopiur, its
/// bus or the API server is down. Written by mover-orchestration while something waits in that way.
namespace kopiur::proto {

/// An interval in which the cluster was not seen to answer.
struct outage {
  instant from{}, to{};
  bool operator==(outage const&) const = default;
};
KOPIUR_DESCRIBE(outage, (), (from, to))

struct watch_log {
  instant seen_until{};         ///< the cluster answered then
  std::vector<outage> outages;  ///< oldest first; those before the longest deadline in use are removed
  bool operator==(watch_log const&) const = default;
};
KOPIUR_DESCRIBE(watch_log, (), (seen_until, outages))

}  // namespace kopiur::proto
