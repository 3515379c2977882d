#pragma once
#include "services/controller/core/configuration.hpp"
#include "services/provisioner/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::provisioner {

/// Options with the drivers of this program and the configuration of Buckety, without which there are no backends; the cadence from
/// KOPIUR_RECHECK (seconds).
options options_for(std::string cluster, controller::configurations const& all);
/// The same, with the configuration in its file. Throws std::runtime_error with a line about what is wrong.
options options_of(runtime::settings const& settings);

}  // namespace kopiur::provisioner
