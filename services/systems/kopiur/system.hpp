#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur {

/// Kopiur: backups with kopia.
extern controller::system const kopiur_system;

}  // namespace kopiur
