#include "services/systems/buckety/kadm/driver.hpp"

#include "common/encoding/join.hpp"
#include "common/encoding/text.hpp"
#include "services/systems/buckety/kadm/parameters.hpp"
#include "services/systems/buckety/kadm/read_config.hpp"
#include "services/systems/buckety/kadm/topic_name.hpp"
#include "services/systems/buckety/rules/driver_versions.hpp"
#include "services/systems/buckety/rules/parameter_keys.hpp"

namespace kopiur::buckety::kadm {
namespace {

constexpr std::string_view secret_names[]{"bootstrap", "topic"};

std::expected<driver_config, config::problem> read_driver_config(config_block const& from) { return read_config(from); }
access_judgement judge_access(parameters const& wanted) { return judge_access_parameters("kadm", wanted); }

/// Nothing of `sasl` and `tls`: the controller's login is an administrator's.
std::vector<secret_entry> secret_keys(driver_config const& config, std::string const& resource_name) {
  auto& brokers = std::get<backend_config>(config).seed_brokers;
  return {{"bootstrap", plain_value{encoding::join(brokers, ",")}}, {"topic", plain_value{resource_name}}};
}

/// The first seed broker only: others may be added to a backend that has objects.
std::string store_of(driver_config const& config) {
  auto& brokers = std::get<backend_config>(config).seed_brokers;
  return brokers.empty() ? "" : encoding::lower_case(brokers.front());
}

std::vector<std::string> addresses_of(driver_config const& config) {
  std::vector<std::string> all;
  for (auto& each : std::get<backend_config>(config).seed_brokers) all.push_back(encoding::lower_case(each));
  return all;
}

}  // namespace

driver_rules driver() {
  return {.name = "kadm",
          .version = version_of_kadm,
          .principal = "kadm-root",
          .store = store_of,
          .addresses = addresses_of,
          .read_config = read_driver_config,
          .validate_name = refuse_topic_name,
          .validate_parameters = validate_parameters,
          .validate_update = validate_update,
          .validate_access_parameters = judge_access,
          .secret_names = secret_names,
          .secret_keys = secret_keys};
}

}  // namespace kopiur::buckety::kadm
