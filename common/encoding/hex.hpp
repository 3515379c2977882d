#pragma once
#include <string>
#include <string_view>

namespace kopiur::encoding {

/// Two lower-case digits for each byte.
inline std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (char c : bytes) text += digits[c >> 4 & 15], text += digits[c & 15];
  return text;
}

}  // namespace kopiur::encoding
