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

void check_backend(controller_config const& all, backend const& one) {
  require(all.find(one.name) == &one, "a name belongs to one backend");
  auto& s3 = std::get<s3::backend_config>(one.config);
  require(!s3.endpoint.empty() && !s3.access_key_ID.empty() && !s3.secret_access_key.empty(), "required fields are set");
  require(!json::write(s3).contains(secret_value), "an encoded configuration contains no secret");
  auto& driver = *find_driver(all_drivers(), one.driver);
  require(driver.validate_parameters(one.config, one.parameters).empty(), "the parameters of a backend are valid");
  for (auto& entry : driver.secret_keys(one.config, "bucket"))
    if (auto* field = std::get_if<config_field>(&entry.value)) require(secret_field(one.config, field->name), "a secret field exists");
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
