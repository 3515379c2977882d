#pragma once
#include "services/controller/core/admission.hpp"
#include "services/controller/core/objects.hpp"

namespace kopiur::plans {

/// Whether judge() has anything to say of a kind.
bool judges(std::string_view kind);
/// What the objects beside it mean for a manifest (rules/neighbours.hpp). A manifest that cannot be read is nobody's fault here: schema and
/// rules of its own kind are judged before.
controller::verdict judge(json::value const& manifest, controller::objects const& beside);

}  // namespace kopiur::plans
