#include "e2e/fuzz/fuzz.hpp"
#include "services/systems/buckety/config/load.hpp"

namespace kopiur::fuzz {
namespace {

using namespace buckety;

constexpr std::string_view secret_value = "aSecretOfTheEnvironment";

std::optional<std::string> variable(std::string const& name) {
  if (name == "SECRET") return std::string(secret_value);
  return name == "EMPTY" ? std::optional(std::string()) : std::nullopt;
}

void check_required(s3::backend_config const& config) {
  require(!config.endpoint.empty() && !config.access_key_ID.empty() && !config.secret_access_key.empty(), "required fields are set");
}
void check_required(kadm::backend_config const& config) {
  require(!config.seed_brokers.empty(), "there is a broker");
  for (auto& each : config.seed_brokers)
    require(each.contains(':') && each.find_first_of(", \t\n/@") == each.npos, "a broker is host and port");
  if (config.tls) require(config.tls->certificate.has_value() == config.tls->key.has_value(), "a certificate has its key");
  if (config.sasl) require(!config.sasl->username.empty() && !config.sasl->password.empty(), "a login is whole");
}

void check_backend(controller_config const& all, backend const& one) {
  require(all.find(one.name) == &one, "a name belongs to one backend");
  std::visit([](auto const& config) { check_required(config); }, one.config);
  auto encoded = std::visit([](auto const& config) { return json::write(config); }, one.config);
  require(!encoded.contains(secret_value), "an encoded configuration contains no secret");
  auto& driver = *find_driver(all_drivers(), one.driver);
  require(!driver.store(one.config).empty(), "a backend has a store");
  require(driver.validate_parameters(one.config, one.parameters).empty(), "the parameters of a backend are valid");
  for (auto& entry : driver.secret_keys(one.config, "bucket"))
    if (auto* field = std::get_if<config_field>(&entry.value)) require(secret_field(one.config, field->name), "a secret field exists");
  for (auto& [key, text] : plain_values(driver, one.config, "bucket"))
    require(!text.contains(secret_value), "what is not secret contains no secret");
}

}  // namespace

/// The controller's configuration file.
void look(std::string_view input) {
  if (input.contains(secret_value)) return;  // then a message may quote it
  auto config = load("input.yaml", input, variable, all_drivers());
  if (!config) {
    auto text = config.error().text();
    require(text.starts_with("input.yaml") && !config.error().what.empty(), "a refusal names the file and says why");
    require(text.find_first_of("\r\n") == text.npos, "a refusal is one line");
    require(!text.contains(secret_value), "a refusal contains no secret");
    return;
  }
  require(!config->backends.empty(), "a configuration has a backend");
  for (auto& each : config->backends) check_backend(*config, each);
}

}  // namespace kopiur::fuzz
