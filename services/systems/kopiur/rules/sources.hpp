#pragma once
#include <string>
#include <vector>

#include "services/controller/core/objects.hpp"

namespace kopiur::rules {

/// A source of a config as it is now: the claim, and the path that kopia records.
struct source_now {
  std::string claim, path;
  bool operator==(source_now const&) const = default;
};

/// The claims that a config's sources come to, sorted by path. A claim that is named is there whether it exists or not; a selector takes
/// what exists now.
std::vector<source_now> sources_of(controller::objects const& all, proto::backup_config const& config);
/// Do they depend on which claims there are?
bool selects_claims(proto::backup_config const& config);

}  // namespace kopiur::rules
