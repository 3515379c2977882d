#pragma once
#include <map>
#include <string>
#include <vector>

#include "proto/core/lease.hpp"

namespace kopiur::mover_orchestration {

/// Finds the lease holders that are new since the last look. A replica's first look treats all holders as new: it reconciles each of their
/// runs once and misses none.
class new_grants {
 public:
  explicit new_grants(std::string cluster) : cluster_(std::move(cluster)) {}

  /// The runs of this cluster among `holders` whose grant did not exist at the last call for this key.
  std::vector<std::string> among(std::string const& key, std::vector<proto::lease_holder> const& holders);

 private:
  std::string cluster_;
  std::map<std::string, std::vector<std::uint64_t>> seen_;  // by key: the fences, sorted; no two grants of a key share one
};

}  // namespace kopiur::mover_orchestration
