#pragma once
#include <expected>
#include <string_view>

#include "common/json/value.hpp"

namespace kopiur::kubernetes {

/// Parses JSON from the API server. The server stores objects of thousands of levels: one of them must not block the others of its list.
/// Such an object is returned without its deepest levels, and with the member `too_deep`.
std::expected<json::value, json::problem> read_api_json(std::string_view text, json::bounds const& most);

}  // namespace kopiur::kubernetes
