#pragma once
#include "services/gateway/adapters/local/manifest_folder.hpp"

namespace kopiur::gateway::local {

/// What an API server with our CRDs would say: the schema and the rules of our kinds, those about changes too, cron and time zones by the
/// parsers that run them. Objects of other API groups pass.
std::vector<finding> admission(json::value const& manifest, json::value const* current);

}  // namespace kopiur::gateway::local
