#include "common/encoding/text.hpp"

#include <algorithm>
#include <functional>
#include <vector>

namespace kopiur::encoding {

namespace {

constexpr std::size_t shortest_secret = 4;
constexpr std::string_view mask = "***";

bool continues_a_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::string masked(std::string text, std::span<std::string const> secrets) {
  std::vector<std::string_view> longest_first(secrets.begin(), secrets.end());
  std::ranges::sort(longest_first, std::greater<>(), &std::string_view::size);
  for (auto secret : longest_first) {
    if (secret.size() < shortest_secret) continue;
    for (auto index = text.find(secret); index != text.npos; index = text.find(secret, index + mask.size()))
      text.replace(index, secret.size(), mask);
  }
  return text;
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  auto first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

std::string tail(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  text.remove_prefix(text.size() - limit);
  while (!text.empty() && continues_a_character(text.front())) text.remove_prefix(1);
  return std::string(text);
}

}  // namespace kopiur::encoding
