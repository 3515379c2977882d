#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur {

extern controller::system const toy_system;

}  // namespace kopiur
