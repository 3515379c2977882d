#pragma once
#include <string>
#include <string_view>

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

/// Where objects of a kind live in the API, and what we do with them: the verbs that RBAC has to allow.
struct resource {
  std::string_view kind, group_version, plural;
  std::string_view verbs;             ///< wherever we work
  std::string_view part, part_verbs;  ///< with its subresource `part`
  std::string_view own_verbs;         ///< in our own namespace
  std::string_view named_verbs;       ///< of one object alone, whose name the chart knows
};
/// The kinds that the gateway touches; nullptr for all others.
resource const* resource_of(std::string_view kind);

/// The path of an object, or of the collection where `key.name` is empty; of the status where `subresource` says so.
std::string path_of(resource const& of, object_key const& key, std::string_view subresource = {});

/// All of it as rules of RBAC, for the chart: those of kinds without a namespace, those of the others, those of our own namespace, and
/// those of single objects.
std::string rules_yaml();

}  // namespace kopiur::gateway::kubernetes
