#pragma once
#include "common/json/value.hpp"
#include "proto/events/object_ref.hpp"

/// What several of us read from a pod, or from a part of any object.
namespace kopiur::gateway::kubernetes {

/// The first item; nullptr where there is none, or no list.
json::value const* first_of(json::value const* list);
/// Its condition of that type, where it has that status; nullptr else.
json::value const* condition(json::value const& object, std::string_view type, std::string_view status = "True");
/// Nothing in it runs any more, and nothing will.
bool has_ended(json::value const& pod);
/// This very pod; in a list it does not say its kind.
proto::object_ref ref_of_pod(json::value const& pod);
/// One of its volumes is the claim of that name, in its own namespace.
bool mounts(json::value const& pod, std::string_view claim);

}  // namespace kopiur::gateway::kubernetes
