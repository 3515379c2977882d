#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::gateway {

/// RFC 4648 with padding, as Kubernetes writes a Secret's `data`.
std::string base64(std::string_view bytes);
/// The bytes, or nothing when the text is no base64. Line breaks pass, as YAML folds long values.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace kopiur::gateway
