#pragma once
#include <span>

#include "services/systems/buckety/config/block.hpp"
#include "services/systems/buckety/config/controller_config.hpp"
#include "services/systems/buckety/rules/driver.hpp"

namespace kopiur::buckety {

/// Reads the configuration file in two stages: the file itself, then each `config:` block by its driver. The problem is one line that names
/// file, line, key and reason, and no secret.
[[nodiscard]] std::expected<controller_config, config::problem> load(std::string_view file, std::string_view text,
                                                                     environment const& variables, std::span<driver_rules const> drivers);

}  // namespace kopiur::buckety
