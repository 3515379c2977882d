#pragma once
#include <string_view>

#include "common/json/value.hpp"

namespace kopiur::cli {

/// What stands at a printer column's path: `.status.phase`, `.serves[0].name`, `.status.conditions[?(@.type=="Ready")].reason`. nullptr:
/// nothing does, or the path is none of these forms.
json::value const* at_path(json::value const& object, std::string_view path);

}  // namespace kopiur::cli
