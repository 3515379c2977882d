#pragma once
#include "services/systems/buckety/rules/driver.hpp"
#include "services/systems/buckety/rules/terms.hpp"

namespace kopiur::buckety {

/// The role that a spelling stands for: never ReadOnly.
constexpr role effective_role(role written) { return written == role::ReadOnly ? role::Reader : written; }

/// The message of the condition ScopingNotImplemented: which wishes of an access have no effect. Nothing when all have one.
std::optional<std::string> missing_scope(driver_rules const& driver, role wanted, access_judgement const& judgement);

}  // namespace kopiur::buckety
