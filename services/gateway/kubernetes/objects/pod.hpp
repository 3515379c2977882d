#pragma once
#include "common/json/value.hpp"
#include "proto/core/object_ref.hpp"

/// Fields of pods, or of any object, that several files read.
namespace kopiur::gateway::kubernetes {

/// The first item; nullptr when there is none, or no list.
json::value const* first_of(json::value const* list);
/// The object's condition of that type, if it has that status; else nullptr.
json::value const* condition(json::value const& object, std::string_view type, std::string_view status = "True");
/// Nothing in it runs any more, and nothing will.
bool has_ended(json::value const& pod);
/// A reference to this pod, with its uid; pods in a list lack their kind.
proto::object_ref ref_of_pod(json::value const& pod);
/// Whether it mounts the claim of that name, of its own namespace.
bool mounts(json::value const& pod, std::string_view claim);

}  // namespace kopiur::gateway::kubernetes
