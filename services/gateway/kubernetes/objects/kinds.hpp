#pragma once
#include <string>
#include <string_view>

#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// A kind that the gateway touches, and the verbs that it needs: RBAC has to allow them.
struct used_resource : resource {
  std::string_view verbs;             ///< in all served namespaces
  std::string_view part, part_verbs;  ///< on its subresource `part`
  std::string_view own_verbs;         ///< in the gateway's own namespace
  std::string_view named_verbs;       ///< on a single object, whose name the chart knows
  std::string_view systems{};         ///< which need it, separated by blanks, if they may be switched off; empty: every install does

  bool is_for(std::string_view system) const;
};
/// The kinds that the gateway touches; nullptr for all others.
used_resource const* resource_of(std::string_view kind);

/// All of it as rules of RBAC, for the chart: for cluster-scoped kinds, for namespaced kinds, for the gateway's own namespace, for single
/// objects, and for each system that the chart can switch off.
std::string rules_yaml();

}  // namespace kopiur::gateway::kubernetes
