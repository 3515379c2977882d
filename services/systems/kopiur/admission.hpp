#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur::plans {

/// Whether judge() checks objects of this kind.
bool judges(std::string_view kind);
/// Checks a manifest against the other objects (rules/neighbours.hpp). An unreadable manifest gets no finding here: the schema and the
/// rules of its kind are checked before.
controller::verdict judge(controller::submission const& wanted);

}  // namespace kopiur::plans
