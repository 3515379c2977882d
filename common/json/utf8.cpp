#include "common/json/utf8.hpp"

#include <simdjson.h>

#include <algorithm>

namespace kopiur::json {

std::size_t character(std::string_view text) {
  if (!text.empty() && static_cast<unsigned char>(text.front()) < 0x80) return 1;
  for (std::size_t length = 2; length <= std::min<std::size_t>(4, text.size()); ++length)
    if (simdjson::validate_utf8(text.data(), length)) return length;
  return 0;
}

}  // namespace kopiur::json
