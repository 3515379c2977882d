#include "services/runtime/shell/configuration.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "common/files/files.hpp"

namespace kopiur::runtime {

namespace {

/// nullptr: the system has none, or there is no such file.
std::shared_ptr<controller::configuration const> read_configuration(controller::system const& system, std::string const& folder) {
  if (system.configuration_file.empty() || folder.empty()) return nullptr;
  auto path = std::filesystem::path(folder) / system.configuration_file;
  auto text = files::read_file(path);
  if (!text) return nullptr;
  auto variables = [](std::string const& name) {
    auto* value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  auto read = system.configure({.file = path.string(), .text = std::move(*text), .variables = variables});
  if (!read) throw std::runtime_error(read.error());
  return std::move(*read);
}

}  // namespace

controller::configurations read_configurations(std::span<controller::system const* const> systems, std::string const& folder) {
  controller::configurations all;
  for (auto* system : systems)
    if (auto read = read_configuration(*system, folder)) all.emplace(system->name, std::move(read));
  return all;
}

}  // namespace kopiur::runtime
