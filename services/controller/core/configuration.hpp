#pragma once
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// What an operator configures for a system in a file, read once at the start by the gateway and by the service that reconciles its kinds.
namespace kopiur::controller {

class configuration {
 public:
  virtual ~configuration() = default;
  /// A secret value of it, which the gateway puts into Secrets; nothing: there is none. `name`, `field`: as in proto::configured_value.
  virtual std::optional<std::string> secret(std::string_view name, std::string_view field) const = 0;
};
/// By the name of the system; a system without a file is missing.
using configurations = std::map<std::string, std::shared_ptr<configuration const>, std::less<>>;
/// nullptr: that system has none.
inline std::shared_ptr<configuration const> configuration_of(configurations const& all, std::string_view system) {
  auto found = all.find(system);
  return found == all.end() ? nullptr : found->second;
}

/// The file, and the environment of the process.
struct configuration_source {
  std::string file, text;  ///< the file's path, for problems, and its content
  std::function<std::optional<std::string>(std::string const& variable)> variables;
};
/// Or a line that names file, line, key and reason.
using configuration_result = std::expected<std::shared_ptr<configuration const>, std::string>;

}  // namespace kopiur::controller
