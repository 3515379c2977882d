#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/json/value.hpp"

/// Types plain YAML scalars as Kubernetes' readers do.
namespace kopiur::config {

/// Whether the unquoted scalar is null: nothing, `~`, `null` in its spellings.
bool is_null(std::string_view text);
/// The value of an unquoted scalar. Empty for `.inf` and `.nan`, which JSON cannot represent.
std::optional<json::value> plain_scalar(std::string_view text);
/// The same with an explicit tag (`!!str`, `!!int`, `!!bool`, `!!float`, `!!null`); empty when the text does not fit the tag or the tag is
/// unknown.
std::optional<json::value> tagged_scalar(std::string_view tag, std::string_view text);

}  // namespace kopiur::config
