#pragma once
#include <expected>

#include "proto/buckety/buckety.hpp"
#include "services/systems/buckety/rules/driver.hpp"
#include "services/systems/buckety/rules/naming.hpp"

namespace kopiur::buckety {

/// What the templates of the object's name and parameters may refer to.
naming_sources sources_of(proto::buckety const& object, backend const& chosen);

/// The parameters of an object over the defaults of its backend: for each key the object's value counts.
parameters merged(parameters const& of_backend, parameters const& of_object);

/// What the driver acts on: the merged parameters, with templates replaced in those that the driver declares as templated.
[[nodiscard]] std::expected<parameters, refusals> effective(driver_rules const& driver, backend const& chosen, parameters const& of_object,
                                                            naming_sources const& sources);

}  // namespace kopiur::buckety
