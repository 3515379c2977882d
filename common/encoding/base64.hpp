#pragma once
#include <optional>
#include <string>
#include <string_view>

/// Bytes as text (RFC 4648).
namespace kopiur::encoding {

/// With `+`, `/` and padding.
std::string base64(std::string_view bytes);
/// With `-` and `_`, and no padding.
std::string base64_url(std::string_view bytes);
/// Decodes base64(); nothing when the text is not base64. Line breaks and spaces are ignored, because YAML folds long values.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace kopiur::encoding
