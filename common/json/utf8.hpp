#pragma once
#include <string>
#include <string_view>

namespace kopiur::json {

/// The length of the UTF-8 character at the beginning of `text` (RFC 3629: no overlong form, no surrogate); 0 when there is none.
std::size_t character(std::string_view text);

/// The text, in which the result of `instead` replaces each byte that is not part of a character.
template <class Instead>
std::string repaired(std::string_view text, Instead instead) {
  std::string out;
  while (!text.empty()) {
    auto length = character(text);
    if (length > 0)
      out += text.substr(0, length);
    else
      out += instead(text.front());
    text.remove_prefix(length > 0 ? length : 1);
  }
  return out;
}

}  // namespace kopiur::json
