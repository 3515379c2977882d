#include "services/mover-orchestration/core/new_grants.hpp"

#include <algorithm>

namespace kopiur::mover_orchestration {

std::vector<std::string> new_grants::among(std::string const& key, std::vector<proto::lease_holder> const& holders) {
  auto& before = seen_[key];
  std::vector<std::uint64_t> now;
  std::vector<std::string> fresh;
  for (auto& each : holders) {
    if (each.cluster != cluster_) continue;
    now.push_back(each.fence);
    if (!std::ranges::binary_search(before, each.fence)) fresh.push_back(each.run);
  }
  std::ranges::sort(now);
  before = std::move(now);
  if (before.empty()) seen_.erase(key);
  return fresh;
}

}  // namespace kopiur::mover_orchestration
