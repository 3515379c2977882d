#include "services/systems/buckety/configuration.hpp"

#include "services/systems/buckety/config/load.hpp"

namespace kopiur::buckety {

std::optional<std::string> configuration::secret(std::string_view name, std::string_view field) const {
  auto* one = backends.find(name);
  auto* value = one ? secret_field(one->config, field) : nullptr;
  return value ? std::optional(value->reveal()) : std::nullopt;
}

controller::configuration_result configure(controller::configuration_source const& from) {
  auto read = load(from.file, from.text, from.variables, all_drivers());
  if (!read) return std::unexpected(read.error().text());
  return std::make_shared<configuration const>(std::move(*read));
}

}  // namespace kopiur::buckety
