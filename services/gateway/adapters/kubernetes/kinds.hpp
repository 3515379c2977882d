#pragma once
#include <string>
#include <string_view>

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

/// Where objects of a kind are in the API, and the verbs that the gateway needs: RBAC has to allow them.
struct resource {
  std::string_view kind, group_version, plural;
  std::string_view verbs;             ///< in all served namespaces
  std::string_view part, part_verbs;  ///< on its subresource `part`
  std::string_view own_verbs;         ///< in the gateway's own namespace
  std::string_view named_verbs;       ///< on a single object, whose name the chart knows
};
/// The kinds that the gateway touches; nullptr for all others.
resource const* resource_of(std::string_view kind);

/// The path of an object, or of the collection when `key.name` is empty; of its subresource when one is given.
std::string path_of(resource const& resource, object_key const& key, std::string_view subresource = {});

/// All of it as rules of RBAC, for the chart: for cluster-scoped kinds, for namespaced kinds, for the gateway's own namespace, and for
/// single objects.
std::string rules_yaml();

}  // namespace kopiur::gateway::kubernetes
