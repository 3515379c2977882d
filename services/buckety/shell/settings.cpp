#include "services/buckety/shell/settings.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>

#include "services/buckety/shell/data_folder.hpp"
#include "services/provisioner/shell/settings.hpp"
#include "services/runtime/embedded/bus_server.hpp"
#include "services/runtime/shell/configuration.hpp"
#include "services/systems/buckety/rules/driver.hpp"
#include "services/systems/buckety/system.hpp"

namespace kopiur::buckety::program {

namespace {

std::expected<controller::configurations, std::string> configured(std::string const& folder) {
  static constexpr std::array own{&buckety_system};
  std::string why;
  try {
    auto all = runtime::read_configurations(own, folder);
    if (!all.empty()) return all;
    why = folder + "/" + std::string(buckety_system.configuration_file) + " does not exist. Give the folder that has it with -c.";
  } catch (std::exception const& failed) {
    why = failed.what();
  }
  std::ranges::replace(why, '\n', ' ');
  return std::unexpected(std::move(why));
}

}  // namespace

std::expected<settings, std::string> settings_of(program::flags flags) {
  auto configurations = configured(flags.config_dir);
  if (!configurations) return std::unexpected(configurations.error());
  auto provisioner = provisioner::options_for("local", *configurations);
  provisioner.cadence = flags.periodic_recheck;
  auto server = embedded::find_bus_server();
  if (!server) return std::unexpected(server.error());
  settings all{.flags = std::move(flags),
               .configurations = std::move(*configurations),
               .provisioner = std::move(provisioner),
               .kubeconfig = {},
               .data_dir = {},
               .nats_server = *server};
  auto* variable = std::getenv("KUBECONFIG");
  all.kubeconfig = all.flags.kubeconfig.empty() && variable ? variable : all.flags.kubeconfig;
  if (all.kubeconfig.empty() && !std::getenv("KUBERNETES_SERVICE_HOST"))
    return std::unexpected("This is not a pod of a cluster. Elsewhere, name a kubeconfig with -kubeconfig or in KUBECONFIG.");
  all.data_dir = all.flags.data_dir.empty() ? default_data_dir() : all.flags.data_dir;
  return all;
}

std::string versions() {
  std::set<std::string> drivers;
  for (auto const& each : all_drivers()) drivers.insert("driver " + std::string(each.name) + " " + version_text(each.version) + "\n");
  std::string text = "buckety " KOPIUR_VERSION "\n";
  for (auto const& each : drivers) text += each;
  return text;
}

}  // namespace kopiur::buckety::program
