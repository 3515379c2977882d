#pragma once
#include "services/mover-orchestration/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::mover_orchestration {

/// In a cluster, where the recipe does not say it: KOPIUR_COPY_METHOD: how claims are read: Direct (unless told), Snapshot or Clone;
/// KOPIUR_GROUP_BY: whether several that are read by Snapshot are taken at one instant: None (unless told), or VolumeGroupSnapshot.
/// Anything else is a std::runtime_error with a sentence.
options options_of(runtime::settings const& with);

}  // namespace kopiur::mover_orchestration
