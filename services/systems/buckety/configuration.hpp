#pragma once
#include "services/controller/core/configuration.hpp"
#include "services/systems/buckety/config/controller_config.hpp"

namespace kopiur::buckety {

/// `buckety-controller.yaml`.
struct configuration final : controller::configuration {
  explicit configuration(controller_config all) : backends(std::move(all)) {}
  /// `name`: a backend; `field`: a secret field of its `config:` block.
  std::optional<std::string> secret(std::string_view name, std::string_view field) const override;

  controller_config backends;
};

controller::configuration_result configure(controller::configuration_source const& from);

}  // namespace kopiur::buckety
