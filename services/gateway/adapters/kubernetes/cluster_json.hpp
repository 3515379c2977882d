#pragma once
#include <expected>
#include <string_view>

#include "common/json/value.hpp"

namespace kopiur::gateway::kubernetes {

/// Parses JSON from the API server. The server stores objects of thousands of levels: one of them must not block the others of its list.
/// Such an object is returned without its deepest levels, and with the member proto::too_deep.
std::expected<json::value, json::problem> read_cluster_json(std::string_view text, json::bounds const& most);

}  // namespace kopiur::gateway::kubernetes
