#pragma once
#include <string>
#include <string_view>

#include "common/kubernetes/object.hpp"

namespace kopiur::kubernetes {

/// Where objects of a kind are in the API: `{"Job", "batch/v1", "jobs"}`. The texts must outlive it; usually they are literals.
struct resource {
  std::string_view kind, group_version, plural;
};
/// The kinds that this library itself uses.
inline constexpr resource pods{"Pod", "v1", "pods"};
inline constexpr resource leases{"Lease", "coordination.k8s.io/v1", "leases"};
inline constexpr resource service_accounts{"ServiceAccount", "v1", "serviceaccounts"};

/// `/api/v1/...` for the core group, `/apis/GROUP/VERSION/...` for the others. Empty namespace: all namespaces, or a cluster-scoped kind;
/// empty name: the collection.
std::string path_of(resource const& resource, std::string_view ns = {}, std::string_view name = {}, std::string_view subresource = {});
/// The same for a key, whose kind is that of the resource.
std::string path_of(resource const& resource, object_key const& key, std::string_view subresource = {});

/// Percent-encodes one part of a path, or a value of a query.
std::string encoded(std::string_view part);

}  // namespace kopiur::kubernetes
