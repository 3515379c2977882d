#pragma once
#include <string>
#include <string_view>

namespace kopiur::encoding {

/// Bytes as text (RFC 4648): `A` to `Z` and `2` to `7`, without padding.
std::string base32(std::string_view bytes);

}  // namespace kopiur::encoding
