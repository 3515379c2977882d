#pragma once
#include "common/json/value.hpp"

namespace kopiur::json {

/// Parses like parse(), but refuses an object with two members of one name. For text that users write.
[[nodiscard]] std::expected<value, problem> parse_strictly(std::string_view text, bounds const& most = {});

}  // namespace kopiur::json
