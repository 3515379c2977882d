#pragma once
#include "proto/buckety/buckety.hpp"
#include "services/systems/buckety/rules/driver.hpp"

/// Whether the backend of an object can serve it.
namespace kopiur::buckety {

/// What an object was stamped with; empty before its first reconcile.
struct backend_stamp {
  std::string backend, driver;
  std::optional<int> driver_major;
  std::string store{};  ///< driver_rules::store at that time
};

backend_stamp stamp_of(proto::buckety_status const& status);

enum class backend_standing { Usable, NotInConfig, DriverChanged, StoreChanged, DriverMajorBump };
BOOST_DESCRIBE_ENUM(backend_standing, Usable, NotInConfig, DriverChanged, StoreChanged, DriverMajorBump)

/// The standing; its name is the reason of the condition. `chosen` and `driver` are set where Usable.
struct backend_judgement {
  backend_standing standing = backend_standing::Usable;
  std::string message;  ///< empty where Usable
  backend const* chosen = nullptr;
  driver_rules const* driver = nullptr;
};
/// For reconciling and for deleting alike. `wanted` is spec.backend; a stamped backend takes its place.
backend_judgement judge(controller_config const& config, std::span<driver_rules const> drivers, std::string const& wanted,
                        backend_stamp const& stamp);

/// What an update of an object is checked for.
struct update_checks {
  bool name = false, parameters = false;
};
/// An update that changes no spec, or that is made while the object is being deleted, is checked for nothing: a finalizer can always be
/// removed. A stamped name is not resolved again, so labels may change.
constexpr update_checks checks_of_update(bool spec_changed, bool being_deleted, bool name_stamped) {
  bool any = spec_changed && !being_deleted;
  return {.name = any && !name_stamped, .parameters = any};
}

}  // namespace kopiur::buckety
