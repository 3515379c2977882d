#pragma once
#include <cstdint>

#include "services/systems/buckety/rules/driver.hpp"

/// The parameters of a topic. One that is absent is not managed: the topic keeps what it has.
namespace kopiur::buckety::kadm {

/// A parameter `config.KEY` is the setting KEY of the topic. The pattern is that of the whole key.
inline constexpr std::string_view setting_prefix = "config.", setting_pattern = R"(^config\.[a-z][a-z0-9._]*$)";

/// The parameters as they are written, without settings: the keys that exist, for the schema.
struct topic_parameters {
  std::optional<std::string> partitions, replication_factor;
};
KOPIUR_DESCRIBE_NOTED(topic_parameters, (), (partitions, replication_factor))

/// The state of a topic that parameters ask for.
struct wanted_topic {
  std::optional<std::int32_t> partitions;          ///< at least 1
  std::optional<std::int16_t> replication_factor;  ///< at least 1
  std::map<std::string, std::string> settings;     ///< by Kafka's name (`retention.ms`); no blanks around values
};
[[nodiscard]] std::expected<wanted_topic, refusals> parse_parameters(parameters const& wanted);

/// The functions of driver_rules.
refusals validate_parameters(driver_config const& config, parameters const& wanted);
refusals validate_update(driver_config const& config, parameters const& old, parameters const& wanted);

}  // namespace kopiur::buckety::kadm
