#pragma once
#include <map>

#include "services/systems/buckety/config/load.hpp"

namespace kopiur::buckety {

/// The controller's configuration file with this text, in an environment with these variables.
inline std::expected<controller_config, config::problem> read_with(std::map<std::string, std::string> const& variables,
                                                                   std::string_view text) {
  auto look_up = [&](std::string const& name) -> std::optional<std::string> {
    auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  };
  return load("buckety-controller.yaml", text, look_up, all_drivers());
}
inline std::string problem_text(std::expected<controller_config, config::problem> const& read) {
  return read ? "accepted" : read.error().text();
}

}  // namespace kopiur::buckety
