#pragma once
#include "services/maintenance-lease/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::maintenance_lease {

/// From KOPIUR_CLUSTER and KOPIUR_MOVERS_PER_REPOSITORY (a number from 1; else throws std::runtime_error with a sentence).
options options_of(runtime::settings const& settings);

}  // namespace kopiur::maintenance_lease
