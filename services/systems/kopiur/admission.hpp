#pragma once
#include "services/controller/core/admission.hpp"
#include "services/controller/core/objects.hpp"

namespace kopiur::plans {

/// Whether judge() checks objects of this kind.
bool judges(std::string_view kind);
/// Checks a manifest against the other objects (rules/neighbours.hpp). An unreadable manifest gets no finding here: the schema and the
/// rules of its kind are checked before.
controller::verdict judge(json::value const& manifest, controller::objects const& beside);

}  // namespace kopiur::plans
