#pragma once
#include "services/systems/buckety/rules/driver.hpp"

namespace kopiur::buckety::kadm {

/// The driver's entry in the table of all drivers (rules/driver.cpp).
driver_rules driver();

}  // namespace kopiur::buckety::kadm
