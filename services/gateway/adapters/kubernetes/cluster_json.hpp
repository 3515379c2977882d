#pragma once
#include <expected>
#include <string_view>

#include "common/json/value.hpp"

namespace kopiur::gateway::kubernetes {

/// Reads what the API server says. It stores objects of thousands of levels: one of them must not keep the others of its list from being
/// read. Such an object comes without its deepest levels, and with the member proto::too_deep.
std::expected<json::value, json::problem> read_cluster_json(std::string_view text, json::bounds const& most);

}  // namespace kopiur::gateway::kubernetes
