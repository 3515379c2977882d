#pragma once
#include <map>
#include <optional>
#include <string>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/events/status.hpp"

namespace kopiur::gateway {

/// The fragments on one object's status, by service.
using status_fragments = std::map<std::string, proto::status_fragment, std::less<>>;

/// The status of `object` with the fragments merged into it, or nothing when that changes nothing. Fragments for another uid are dropped.
/// Each fragment's `status` is an RFC 7386 patch; its conditions replace those of the same type, in the place where they stand; new ones
/// come at the end, by service. A transition time moves only with the condition's status. `observedGeneration` is that of the fragment
/// which states `Ready` (its owner speaks for the object), else the highest one.
std::optional<json::value> compose_status(json::value const& object, status_fragments const& fragments, instant now);

}  // namespace kopiur::gateway
