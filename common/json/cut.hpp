#pragma once
#include <string>
#include <string_view>

#include "common/json/value.hpp"

/// For JSON text from outside that is nested too deeply: leaves out objects and arrays below `depth` levels, so that the rest stays
/// readable.
namespace kopiur::json {

/// Replaces each object or array that was left out.
inline constexpr std::string_view cut_mark = "(more levels than kopiur reads)";

/// `text` with `cut_mark` in place of each object or array inside `depth` others. Linear time, no recursion. Text that is not JSON results
/// in text that is not JSON.
std::string cut(std::string_view text, std::size_t depth);
/// Whether any string in it is the mark.
bool is_cut(value const& read);

}  // namespace kopiur::json
