#pragma once
#include <span>
#include <string_view>

#include "services/controller/core/system.hpp"

namespace kopiur {

/// All systems, one line each in systems.cpp: the only way from the engine and the gateway to a system.
std::span<controller::system const* const> systems();
/// The plan kind of that name, of whatever system; nullptr: no system has it.
controller::plan_kind const* find_plan(std::string_view name);

}  // namespace kopiur
