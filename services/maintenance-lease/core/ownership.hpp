#pragma once
#include <optional>

#include "proto/events/run.hpp"
#include "proto/events/status.hpp"
#include "proto/kopiur/maintenance.hpp"

namespace kopiur::maintenance_lease {

/// The status fragment from an ended maintenance run: the owner that kopia records. Empty for any other run, or when kopia was not queried.
/// `before`: the owner as last reported; its time is kept while the owner stays the same. spec/kopiur.md, Maintenance.
std::optional<proto::status_fragment> ownership_of(proto::run_state const& run, std::optional<proto::maintenance_owner> const& before);

}  // namespace kopiur::maintenance_lease
