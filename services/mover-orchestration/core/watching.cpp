#include "services/mover-orchestration/core/watching.hpp"

#include <algorithm>

namespace kopiur::mover_orchestration {

using proto::outage;
using proto::watch_log;

watch_log seen_at(watch_log log, instant time) {
  bool stepped_back = time + watch_gap < log.seen_until;
  if (stepped_back) log = {};
  if (time <= log.seen_until) return log;
  if (time - log.seen_until > watch_gap) log.outages.push_back({log.seen_until, time});
  log.seen_until = time;
  std::erase_if(log.outages, [&](outage const& one) { return time - one.to > watch_kept; });
  return log;
}

duration watched(watch_log const& log, instant since) {
  auto time = std::max(log.seen_until - since, duration::zero());
  for (auto& each : log.outages) time -= std::max(each.to - std::max(each.from, since), duration::zero());
  return time;
}

}  // namespace kopiur::mover_orchestration
