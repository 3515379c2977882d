#include "services/mover-orchestration/core/newcomers.hpp"

#include <utility>

namespace kopiur::orchestration {

std::vector<std::string> newcomers::to(std::string const& key, std::vector<proto::lease_holder> const& holders) {
  std::map<std::string, std::uint64_t> now;
  for (auto& each : holders)
    if (each.cluster == cluster_) now.emplace(each.run, each.fence);
  auto before = std::exchange(seen_[key], now);
  if (now.empty()) seen_.erase(key);
  std::vector<std::string> fresh;
  for (auto& [run, fence] : now) {
    auto was = before.find(run);
    if (was == before.end() || was->second != fence) fresh.push_back(run);
  }
  return fresh;
}

}  // namespace kopiur::orchestration
