#pragma once
#include <span>
#include <string_view>

#include "services/controller/core/system.hpp"

namespace kopiur {

/// All systems, one line each in list.cmake: the engine, the scheduler and the gateway reach a system only through this header.
std::span<controller::system const* const> systems();
/// The plan kind of that name, from any system; nullptr: none.
controller::plan_kind const* find_plan(std::string_view name);

}  // namespace kopiur
