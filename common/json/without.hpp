#pragma once
#include "common/json/value.hpp"

namespace kopiur::json {

/// A member of the objects that are members named `parent`, at any level.
struct unwanted {
  std::string_view parent, name;
};
/// Parses like parse(), but builds no value of the unwanted members. For large parts that nobody reads.
[[nodiscard]] std::expected<value, problem> parse_without(std::string_view text, unwanted const& what, bounds const& most = {});

}  // namespace kopiur::json
