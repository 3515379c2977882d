#pragma once
#include <string>

#include "services/buckety/core/flags.hpp"
#include "services/controller/core/configuration.hpp"
#include "services/provisioner/shell/service.hpp"

namespace kopiur::buckety::program {

/// What the program serves with.
struct settings {
  program::flags flags;
  controller::configurations configurations;  ///< as they were read at the start, for gateway and provisioner
  provisioner::options provisioner;
  std::string kubeconfig;  ///< empty: the pod's service account
  std::string data_dir, nats_server;
};

/// Checks flags and environment for what `serve` needs. Reads the configuration first: its problem is the only one that is reported, in one
/// line with file, line, key and reason.
[[nodiscard]] std::expected<settings, std::string> settings_of(program::flags flags);

/// `buckety VERSION`, and `driver NAME VERSION` for each driver.
std::string versions();

}  // namespace kopiur::buckety::program
