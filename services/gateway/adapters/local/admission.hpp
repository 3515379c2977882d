#pragma once
#include "services/gateway/adapters/local/manifest_folder.hpp"

namespace kopiur::gateway::local {

/// What an API server with our CRDs would say (proto/examine.hpp): our kinds, and the core kinds that the local adapter reads. All others
/// pass: nothing here acts on them.
std::vector<finding> admission(json::value const& manifest, json::value const* current);

/// What a webhook would say besides, that looks at the objects beside it (mirror/core/neighbours.hpp). Asked of what people apply by
/// command; files of the folder come in any order, and there the services say it in the object's status.
std::vector<finding> beside(json::value const& manifest, object_map const& there);

}  // namespace kopiur::gateway::local
