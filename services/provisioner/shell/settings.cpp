#include "services/provisioner/shell/settings.hpp"

#include <cstdlib>

#include "common/bus/unique.hpp"
#include "services/provisioner/adapters/s3_driver.hpp"
#include "services/runtime/shell/configuration.hpp"
#include "services/systems/buckety/configuration.hpp"
#include "services/systems/buckety/system.hpp"

namespace kopiur::provisioner {

std::shared_ptr<buckety::controller_config const> config_in(std::string const& folder) {
  auto read = std::static_pointer_cast<buckety::configuration const>(runtime::read_configuration(buckety_system, folder));
  return read ? std::shared_ptr<buckety::controller_config const>(read, &read->backends) : nullptr;
}

options options_for(std::string cluster, std::string const& configuration) {
  auto drivers = [](clock& time, boost::asio::any_io_executor loop) -> driver_maker {
    auto connections = std::make_shared<http::pool>(time, std::move(loop));
    return [connections, make = drivers_over(time, *connections)](buckety::backend const& one) { return make(one); };
  };
  options result{
      .cluster = std::move(cluster), .config = config_in(configuration), .drivers = std::move(drivers), .replica = bus::unique_token()};
  if (auto* seconds = std::getenv("KOPIUR_RECHECK"))
    result.cadence = std::chrono::seconds(runtime::number_from_1("KOPIUR_RECHECK", seconds));
  return result;
}

options options_of(runtime::settings const& settings) { return options_for(settings.cluster, settings.configuration); }

}  // namespace kopiur::provisioner
