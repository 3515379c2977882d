#pragma once
#include <string>
#include <string_view>

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

/// Where objects of a kind live in the API.
struct resource {
  std::string_view kind, group_version, plural;
};
/// The kinds that the gateway touches; nullptr for all others.
resource const* resource_of(std::string_view kind);

/// The path of an object, or of the collection where `key.name` is empty; of the status where `subresource` says so.
std::string path_of(resource const& of, object_key const& key, std::string_view subresource = {});

}  // namespace kopiur::gateway::kubernetes
