#pragma once
#include "services/provisioner/shell/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::provisioner {

/// The configuration of Buckety in that folder; without a file there are no backends. Throws std::runtime_error with a line about what is
/// wrong.
std::shared_ptr<buckety::controller_config const> config_in(std::string const& folder);
/// Options with the drivers of this program; the cadence from KOPIUR_RECHECK (seconds).
options options_for(std::string cluster, std::string const& configuration);
options options_of(runtime::settings const& settings);

}  // namespace kopiur::provisioner
