#include "services/provisioner/shell/settings.hpp"

#include <array>
#include <cstdlib>

#include "common/bus/unique.hpp"
#include "services/provisioner/adapters/drivers.hpp"
#include "services/runtime/shell/configuration.hpp"
#include "services/systems/buckety/configuration.hpp"
#include "services/systems/buckety/system.hpp"

namespace kopiur::provisioner {

namespace {

std::shared_ptr<buckety::controller_config const> config_of(controller::configurations const& all) {
  auto read = std::static_pointer_cast<buckety::configuration const>(controller::configuration_of(all, buckety_system.name));
  return read ? std::shared_ptr<buckety::controller_config const>(read, &read->backends) : nullptr;
}

}  // namespace

options options_for(std::string cluster, controller::configurations const& all) {
  options result{.cluster = std::move(cluster), .config = config_of(all), .drivers = make_drivers, .replica = bus::unique_token()};
  if (auto* seconds = std::getenv("KOPIUR_RECHECK"))
    result.cadence = std::chrono::seconds(runtime::number_from_1("KOPIUR_RECHECK", seconds));
  return result;
}

options options_of(runtime::settings const& settings) {
  static constexpr std::array own{&buckety_system};
  return options_for(settings.cluster, runtime::read_configurations(own, settings.configuration));
}

}  // namespace kopiur::provisioner
