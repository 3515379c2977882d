#include "services/systems/buckety/rules/standing.hpp"

namespace kopiur::buckety {

backend_stamp stamp_of(proto::buckety_status const& status) {
  return {.backend = status.backend.value_or(""),
          .driver = status.driver.value_or(""),
          .driver_major = status.driver_major ? std::optional(static_cast<int>(*status.driver_major)) : std::nullopt,
          .store = status.backend_store.value_or("")};
}

backend_judgement judge(controller_config const& config, std::span<driver_rules const> drivers, std::string const& wanted,
                        backend_stamp const& stamp) {
  auto& name = stamp.backend.empty() ? wanted : stamp.backend;
  auto* chosen = config.find(name);
  if (!chosen)
    return {.standing = backend_standing::NotInConfig,
            .message = "The controller's configuration has no backend " + name + ". Its owner adds it there again."};
  auto* driver = find_driver(drivers, chosen->driver);
  if (!driver || (!stamp.driver.empty() && stamp.driver != chosen->driver))
    return {.standing = backend_standing::DriverChanged,
            .message = "Backend " + name + " has the driver " + chosen->driver + " now, and this object was made with " + stamp.driver +
                       ". The owner of the controller gives the backend its driver back."};
  if (auto store = driver->store(chosen->config); !stamp.store.empty() && stamp.store != store)
    return {.standing = backend_standing::StoreChanged,
            .message = "Backend " + name + " is at " + store + " now, and this object's resource is at " + stamp.store +
                       ". The owner of the controller gives the backend its address back, and names the other one differently."};
  if (!is_compatible(stamp.driver_major, driver->version))
    return {.standing = backend_standing::DriverMajorBump,
            .message = "The driver " + chosen->driver + " is " + version_text(driver->version) +
                       ", and this object was made with major version " + std::to_string(*stamp.driver_major) +
                       ". Run a controller with that version, or migrate the object."};
  return {.standing = backend_standing::Usable, .message = {}, .chosen = chosen, .driver = driver};
}

}  // namespace kopiur::buckety
