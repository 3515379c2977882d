#pragma once
#include "services/systems/buckety/rules/driver.hpp"

namespace kopiur::buckety::s3 {

/// The driver's entry in the table of all drivers (rules/driver.cpp).
driver_rules driver();

}  // namespace kopiur::buckety::s3
