#pragma once
#include <string_view>

#include "common/json/value.hpp"

namespace kopiur::cli {

/// The value at a printer column's path: `.status.phase`, `.serves[0].name`, `.status.conditions[?(@.type=="Ready")].reason`. nullptr: no
/// such value, or the path has none of these forms.
json::value const* at_path(json::value const& object, std::string_view path);

}  // namespace kopiur::cli
