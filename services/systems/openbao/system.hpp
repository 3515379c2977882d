#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur {

/// Restores of OpenBao clusters, and backups of them: the kinds of the API group openbao.org.
extern controller::system const openbao_system;

}  // namespace kopiur
