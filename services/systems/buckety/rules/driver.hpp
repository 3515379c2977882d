#pragma once
#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "services/systems/buckety/config/block.hpp"
#include "services/systems/buckety/config/controller_config.hpp"
#include "services/systems/buckety/rules/version.hpp"

/// What the rest of Buckety knows about a driver: data and pure functions. The calls to the backend are elsewhere.
namespace kopiur::buckety {

using parameters = std::map<std::string, std::string>;
/// What is wrong with parameters: a sentence for each key.
using refusals = std::map<std::string, std::string>;
/// All of them as one text, `key: sentence key: sentence`; empty when there are none.
std::string text_of(refusals const& all);

/// What a driver says about the parameters of an access.
struct access_judgement {
  refusals refused;
  std::vector<std::string> not_scoped;  ///< keys that are documented, but have no effect yet (condition ScopingNotImplemented)
};

/// A value of a Secret that is known here.
struct plain_value {
  std::string text;
  bool operator==(plain_value const&) const = default;
};
/// A value of a Secret that is a secret field of the backend's configuration (`accessKeyID`); secret_field() gives it.
struct config_field {
  std::string_view name;
  bool operator==(config_field const&) const = default;
};
/// A key of the Secret that an access gets.
struct secret_entry {
  std::string key;
  std::variant<plain_value, config_field> value;
  bool operator==(secret_entry const&) const = default;
};

struct driver_rules {
  std::string_view name;
  semver version;              ///< of this program's driver
  std::string_view principal;  ///< status.principal of all its accesses
  bool scoped = false;         ///< whether each access gets credentials of its own, limited to its role

  /// Which service it is, without secrets: two backends of the same store have the same resources.
  std::string (*store)(driver_config const& config);
  /// All addresses of that service in the configuration, where it has several: backends that share one must be of one store.
  std::vector<std::string> (*addresses)(driver_config const& config) = nullptr;
  /// Reads the `config:` block of a backend.
  std::expected<driver_config, config::problem> (*read_config)(config_block const& from);
  /// Why the backend would refuse the name; nothing when it is good.
  std::optional<std::string> (*validate_name)(std::string_view resource_name);
  /// `wanted` are the effective parameters of an object, or those of a backend.
  refusals (*validate_parameters)(driver_config const& config, parameters const& wanted);
  /// The same, and parameters that must not change from `old`; both are effective ones.
  refusals (*validate_update)(driver_config const& config, parameters const& old, parameters const& wanted);
  access_judgement (*validate_access_parameters)(parameters const& wanted);
  /// All keys that a Secret of an access may have.
  std::span<std::string_view const> secret_names;
  /// Those of the Secret of one access.
  std::vector<secret_entry> (*secret_keys)(driver_config const& config, std::string const& resource_name);
  /// Keys whose values are naming templates (naming.hpp).
  std::span<std::string_view const> templated_parameters = {};
};

/// What the Secret of an access has besides credentials.
std::map<std::string, std::string> plain_values(driver_rules const& driver, driver_config const& config, std::string const& resource_name);

/// All drivers of this program.
std::span<driver_rules const> all_drivers();
/// By name, or nullptr.
inline driver_rules const* find_driver(std::span<driver_rules const> drivers, std::string_view name) {
  auto found = std::ranges::find(drivers, name, &driver_rules::name);
  return found == drivers.end() ? nullptr : &*found;
}
/// The secret field of a backend's configuration by its name in the file, or nullptr.
secret_text const* secret_field(driver_config const& config, std::string_view name);

}  // namespace kopiur::buckety
