#pragma once
#include <span>

#include "services/controller/core/system.hpp"

namespace kopiur {

/// All systems, one line each in systems.cpp: the only way from the engine and the gateway to a system.
std::span<controller::system const* const> systems();

}  // namespace kopiur
