#pragma once
#include "services/mover-orchestration/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::mover_orchestration {

/// Cluster defaults for recipes that do not set them. KOPIUR_COPY_METHOD: how claims are read: Direct (default), Snapshot or Clone.
/// KOPIUR_GROUP_BY: whether several claims that are read by Snapshot are captured at one instant: None (default), or VolumeGroupSnapshot.
/// KOPIUR_POD_START_SECONDS: how long a pod may report that it cannot start. KOPIUR_MOVERS_PER_REPOSITORY: how many movers may use one
/// repository at the same time. Any other value throws a std::runtime_error with a sentence.
options options_of(runtime::settings const& settings);

}  // namespace kopiur::mover_orchestration
