#pragma once
#include <map>
#include <string>
#include <vector>

#include "proto/events/lease.hpp"

namespace kopiur::mover_orchestration {

/// Who has come to hold a lease since it was looked at last. A replica that looks for the first time takes all for new: that costs it a
/// look at each of their runs, and misses none.
class new_grants {
 public:
  explicit new_grants(std::string cluster) : cluster_(std::move(cluster)) {}

  /// The runs of this cluster among `holders` whose grant was not there at the last call for this key.
  std::vector<std::string> among(std::string const& key, std::vector<proto::lease_holder> const& holders);

 private:
  std::string cluster_;
  std::map<std::string, std::vector<std::uint64_t>> seen_;  // by key: the fences, in order; no two grants of a key share one
};

}  // namespace kopiur::mover_orchestration
