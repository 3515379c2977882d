#include "common/blob/core/uri.hpp"

#include <algorithm>

#include "common/encoding/join.hpp"

namespace kopiur::blob {

namespace {

bool is_unreserved(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || std::string_view("-._~").contains(c);
}

std::string encoded_but(std::string_view text, std::string_view kept) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    if (is_unreserved(c) || kept.contains(c))
      out += c;
    else
      out += '%', out += digits[c >> 4 & 15], out += digits[c & 15];
  }
  return out;
}

/// -1: not a hexadecimal digit.
int value_of(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

}  // namespace

std::string encoded(std::string_view text) { return encoded_but(text, ""); }
std::string encoded_path(std::string_view path) { return encoded_but(path, "/"); }

std::string encoded_query(parameters const& query) {
  parameters all;
  for (auto& [name, value] : query) all.emplace_back(encoded(name), encoded(value));
  std::ranges::sort(all);
  return encoding::join(all, "&", [](auto const& each) { return each.first + "=" + each.second; });
}

std::string decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto high = text[i] == '%' && i + 2 < text.size() ? value_of(text[i + 1]) : -1;
    auto low = high >= 0 ? value_of(text[i + 2]) : -1;
    if (low >= 0)
      out += static_cast<char>(high << 4 | low), i += 2;
    else
      out += text[i] == '+' ? ' ' : text[i];
  }
  return out;
}

}  // namespace kopiur::blob
