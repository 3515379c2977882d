#include "services/systems/systems.hpp"

#include "systems/list.hpp"  // made from KOPIUR_SYSTEMS (list.cmake)

namespace kopiur {

std::span<controller::system const* const> systems() { return all_systems; }

controller::plan_kind const* find_plan(std::string_view name) {
  for (auto* system : systems())
    for (auto* each : system->plans)
      if (each->name == name) return each;
  return nullptr;
}

}  // namespace kopiur
