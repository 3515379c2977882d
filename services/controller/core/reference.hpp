#pragma once
#include <string_view>

#include "proto/core/object_ref.hpp"

namespace kopiur::controller {

/// The object that a mirror subject (`kopiur.v1.resource.<cluster>.<kind>.<ns>.<name>`) names; the subject does not contain its uid.
proto::object_ref reference(std::string_view subject);
/// The subject names no object: it is the gateway's marker that it has listed the cluster (subjects::resources_listed).
inline bool is_marker(proto::object_ref const& object) { return object.kind == "-"; }
/// The subject names no object, but a kind (subjects::kind_state).
inline bool is_kind_state(proto::object_ref const& object) { return object.name == "-"; }

}  // namespace kopiur::controller
