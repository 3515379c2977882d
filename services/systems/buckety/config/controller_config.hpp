#pragma once
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "services/systems/buckety/kadm/config.hpp"
#include "services/systems/buckety/s3/config.hpp"

/// The controller's configuration file, `buckety-controller.yaml`: as it is written, and as it is used.
namespace kopiur::buckety {

/// One of `backends[]`, as it is written.
struct backend_entry {
  std::string name, driver;
  json::value config;                           ///< the driver reads it (config/block.hpp)
  std::map<std::string, std::string> defaults;  ///< of `${backend.KEY}` in names
  std::map<std::string, std::string> parameters;
};
KOPIUR_DESCRIBE(backend_entry, (), (name, driver, config, defaults, parameters))

/// The whole file, as it is written.
struct config_file {
  std::vector<backend_entry> backends;
};
KOPIUR_DESCRIBE(config_file, (), (backends))

/// What a driver read from its `config:` block. Encoded, it contains no secret: it can tell whether a backend is still the same.
using driver_config = std::variant<s3::backend_config, kadm::backend_config>;

/// A connection to a service that keeps buckets, with a name that objects refer to.
struct backend {
  std::string name, driver;
  driver_config config;
  std::map<std::string, std::string> defaults;    ///< of `${backend.KEY}` in names
  std::map<std::string, std::string> parameters;  ///< defaults of an object's parameters
};

/// All backends; each name occurs once.
struct controller_config {
  std::vector<backend> backends;

  /// By name, or nullptr.
  backend const* find(std::string_view name) const;
};

}  // namespace kopiur::buckety
