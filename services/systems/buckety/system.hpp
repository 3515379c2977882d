#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur {

/// Buckety: named resources on backing services, and credentials for them. The provisioner reconciles its kinds; it has no runs.
extern controller::system const buckety_system;

}  // namespace kopiur
