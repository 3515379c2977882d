#pragma once
#include <string_view>

#include "proto/events/object_ref.hpp"

namespace kopiur::controller {

/// The object that a subject of the mirror (`kopiur.v1.resource.<cluster>.<kind>.<ns>.<name>`) is about; its uid is not in the subject.
proto::object_ref reference(std::string_view subject);
/// It is about no object: the gateway's marker that it has listed the cluster (subjects::resources_listed).
inline bool is_marker(proto::object_ref const& object) { return object.kind == "-"; }

}  // namespace kopiur::controller
