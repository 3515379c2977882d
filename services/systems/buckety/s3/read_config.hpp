#pragma once
#include "services/systems/buckety/config/block.hpp"
#include "services/systems/buckety/s3/config.hpp"

namespace kopiur::buckety::s3 {

/// Reads and checks the `config:` block.
[[nodiscard]] std::expected<backend_config, config::problem> read_config(config_block const& from);

}  // namespace kopiur::buckety::s3
