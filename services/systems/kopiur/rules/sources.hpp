#pragma once
#include <string>
#include <vector>

#include "services/controller/core/objects.hpp"

namespace kopiur::rules {

/// A current source of a config: the claim, and the path that kopia records.
struct source_now {
  std::string claim, path;
  bool operator==(source_now const&) const = default;
};

/// The claims that a config's sources resolve to, sorted by path. A named claim is included even if it does not exist; a selector matches
/// existing claims.
std::vector<source_now> sources_of(controller::objects const& all, proto::backup_config const& config);
/// Whether the sources depend on which claims exist.
bool selects_claims(proto::backup_config const& config);

}  // namespace kopiur::rules
