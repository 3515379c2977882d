#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "common/json/value.hpp"

/// The typing of plain YAML scalars as Kubernetes' readers have it.
namespace kopiur::config {

/// What an unquoted scalar means. Nothing for `.inf` and `.nan`, which JSON cannot hold.
std::optional<json::value> plain_scalar(std::string_view text);
/// The same under an explicit tag (`!!str`, `!!int`, `!!bool`, `!!float`, `!!null`); nothing when tag or text do not fit.
std::optional<json::value> tagged_scalar(std::string_view tag, std::string_view text);

}  // namespace kopiur::config
