#pragma once
#include <map>
#include <optional>
#include <string>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/events/status.hpp"

namespace kopiur::gateway {

/// Whether this service has stopped to report status in this version: its fragments of earlier versions are withdrawn, or they would be
/// asserted without end. maintenance-lease: the owner of a repository's maintenance is reported by the maintain plan.
inline bool is_retired_reporter(std::string_view service) { return service == "maintenance-lease"; }

/// The fragments of one object's status, by service.
using status_fragments = std::map<std::string, proto::status_fragment, std::less<>>;

/// The status of `object` with the fragments merged into it, or nothing when nothing changes. Fragments for another uid are ignored. Each
/// fragment's `status` is an RFC 7386 patch. Its conditions replace those of the same type in place; new ones are appended, by service. A
/// transition time changes only with the condition's status. `observedGeneration` is that of the fragment which states `Ready` (its service
/// owns the object), else the highest one.
std::optional<json::value> compose_status(json::value const& object, status_fragments const& fragments, instant now);

}  // namespace kopiur::gateway
