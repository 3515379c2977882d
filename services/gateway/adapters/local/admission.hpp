#pragma once
#include "services/gateway/adapters/local/manifest_folder.hpp"

namespace kopiur::gateway::local {

/// What an API server with our CRDs would say (proto/examine.hpp): our kinds, and the core kinds that the local adapter reads. All others pass:
/// nothing here acts on them.
std::vector<finding> admission(json::value const& manifest, json::value const* current);

}  // namespace kopiur::gateway::local
