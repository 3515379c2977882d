#pragma once
#include <optional>

#include "proto/events/run.hpp"
#include "proto/events/status.hpp"
#include "proto/kopiur/maintenance.hpp"

namespace kopiur::maintenance_lease {

/// What an ended maintenance run says of the owner that kopia records; nothing for any other run, or where kopia was not asked. `before`:
/// the owner as it was last stated, whose time is kept while it stays. spec/kopiur.md, Maintenance.
std::optional<proto::status_fragment> ownership_of(proto::run_state const& run, std::optional<proto::maintenance_owner> const& before);

}  // namespace kopiur::maintenance_lease
