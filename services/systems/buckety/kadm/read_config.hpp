#pragma once
#include "services/systems/buckety/config/block.hpp"
#include "services/systems/buckety/kadm/config.hpp"

namespace kopiur::buckety::kadm {

/// Reads and checks the `config:` block.
[[nodiscard]] std::expected<backend_config, config::problem> read_config(config_block const& from);

}  // namespace kopiur::buckety::kadm
