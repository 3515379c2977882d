#include "services/systems/buckety/config/load.hpp"

#include <algorithm>

#include "common/encoding/join.hpp"

namespace kopiur::buckety {

backend const* controller_config::find(std::string_view name) const {
  auto found = std::ranges::find(backends, name, &backend::name);
  return found == backends.end() ? nullptr : &*found;
}

namespace {

using config::problem;

std::expected<config::manifest, problem> read_document(std::string_view file, std::string_view text) {
  auto documents = config::read_manifests(text, file, config::scalar_typing::Text);
  if (!documents) return std::unexpected(documents.error());
  auto fails = [&](std::string what) { return std::unexpected(problem{std::string(file), {}, "", std::move(what)}); };
  if (documents->empty()) return fails("no backends configured: the file is empty. Write `backends:` with one entry a backend.");
  if (documents->size() > 1) return fails("contains several documents, but the configuration is one. Remove the others.");
  return std::move(documents->front());
}

std::string path_of(std::size_t index) { return "backends[" + std::to_string(index) + "]"; }

std::optional<problem> check_names(config::manifest const& document, config_file const& file) {
  if (file.backends.empty()) return document.blame("backends", "no backends configured. Write one entry a backend.");
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < file.backends.size(); ++i) {
    auto& name = file.backends[i].name;
    if (std::ranges::find(names, name) != names.end())
      return document.blame(path_of(i) + ".name", "duplicate backend name \"" + name + "\". Rename or remove one of them.");
    names.push_back(name);
  }
  return {};
}

std::string unknown_driver(std::string const& name, std::span<driver_rules const> drivers) {
  return "unknown driver \"" + name + "\"; this program has: " + encoding::join(drivers, ", ", &driver_rules::name) + ".";
}

std::expected<backend, problem> read_backend(config_block const& block, backend_entry entry, std::span<driver_rules const> drivers) {
  auto* driver = find_driver(drivers, entry.driver);
  if (!driver) return std::unexpected(block.file.blame(block.path + ".driver", unknown_driver(entry.driver, drivers)));
  auto config = driver->read_config({block.file, entry.config, block.path + ".config", block.variables});
  if (!config) return std::unexpected(config.error());
  if (auto refused = driver->validate_parameters(*config, entry.parameters); !refused.empty())
    return std::unexpected(block.file.blame(block.path + ".parameters." + refused.begin()->first, refused.begin()->second));
  return backend{.name = std::move(entry.name),
                 .driver = std::move(entry.driver),
                 .config = std::move(*config),
                 .defaults = std::move(entry.defaults),
                 .parameters = std::move(entry.parameters)};
}

/// An address that both name, although they count as different stores: each would take the other's resources for nobody's.
std::optional<std::string> common_address(backend const& one, backend const& other, driver_rules const& driver) {
  if (one.driver != other.driver || driver.store(one.config) == driver.store(other.config)) return {};
  auto mine = driver.addresses(one.config), theirs = driver.addresses(other.config);
  auto found = std::ranges::find_first_of(mine, theirs);
  return found == mine.end() ? std::nullopt : std::optional(*found);
}

std::optional<problem> check_store(config::manifest const& document, controller_config const& before, backend const& one,
                                   std::span<driver_rules const> drivers) {
  auto& driver = *find_driver(drivers, one.driver);
  if (!driver.addresses) return {};
  for (auto& other : before.backends)
    if (auto shared = common_address(one, other, driver))
      return document.blame(path_of(before.backends.size()) + ".config", "shares " + *shared + " with the backend " + other.name +
                                                                             ", and begins with another address. The first one names the "
                                                                             "service: begin both with " +
                                                                             driver.store(other.config) + ".");
  return {};
}

}  // namespace

std::expected<controller_config, problem> load(std::string_view file, std::string_view text, environment const& variables,
                                               std::span<driver_rules const> drivers) {
  auto document = read_document(file, text);
  if (!document) return std::unexpected(document.error());
  auto outer = load_block<config_file>({*document, document->content, "", variables});
  if (!outer) return std::unexpected(outer.error());
  if (auto wrong = check_names(*document, *outer)) return std::unexpected(*wrong);
  controller_config read;
  for (auto& entry : outer->backends) {
    config_block block{*document, document->content, path_of(read.backends.size()), variables};
    auto one = read_backend(block, std::move(entry), drivers);
    if (!one) return std::unexpected(one.error());
    if (auto wrong = check_store(*document, read, *one, drivers)) return std::unexpected(*wrong);
    read.backends.push_back(std::move(*one));
  }
  return read;
}

}  // namespace kopiur::buckety
