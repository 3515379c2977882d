#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::blob {

/// The signature RS256 (RSASSA-PKCS1-v1_5 with SHA-256) of a text. `key`: PEM, not encrypted; nothing when it is no private RSA key.
std::optional<std::string> rs256(std::string const& key, std::string_view text);

}  // namespace kopiur::blob
