#pragma once
#include <string>

#include "common/kubernetes/resource.hpp"

namespace kopiur::kubernetes {

inline constexpr resource definitions{"CustomResourceDefinition", "apiextensions.k8s.io/v1", "customresourcedefinitions"};

/// The name of the CustomResourceDefinition of a resource: `volumesnapshotclasses.snapshot.storage.k8s.io`.
std::string definition_name(resource const& resource);

/// What a CustomResourceDefinition says of a resource.
struct definition {
  std::string uid;      ///< empty: it does not exist
  bool serves = false;  ///< the API server serves the resource, and the definition is not being deleted together with its objects
};
definition read_definition(json::value const& object, resource const& resource);

}  // namespace kopiur::kubernetes
