#pragma once
#include <string>
#include <string_view>

#include "common/json/value.hpp"

/// JSON text from outside that is deeper than we read: an object or array below `depth` levels is left out, the rest stays readable.
namespace kopiur::json {

/// What stands in the place of what was left out.
inline constexpr std::string_view cut_mark = "(more levels than kopiur reads)";

/// `text` with `cut_mark` for each object or array that lies in `depth` others. In linear time, without recursion. Text that is not
/// JSON gives text that is not either.
std::string cut(std::string_view text, std::size_t depth);
/// Whether a string in it is the mark.
bool is_cut(value const& read);

}  // namespace kopiur::json
