#include "common/encoding/base64.hpp"

#include <array>

namespace kopiur::encoding {

namespace {

constexpr std::string_view standard = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view for_urls = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string encode(std::string_view bytes, std::string_view alphabet) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  unsigned held = 0, bits = 0;
  for (char c : bytes) {
    held = held << 8 | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6;) text += alphabet[held >> (bits -= 6) & 63];
  }
  if (bits > 0) text += alphabet[held << (6 - bits) & 63];
  return text;
}

/// The six bits of each character; -1: not a base64 character.
constexpr std::array<signed char, 256> values = [] {
  std::array<signed char, 256> made{};
  made.fill(-1);
  for (std::size_t i = 0; i < standard.size(); ++i) made[static_cast<unsigned char>(standard[i])] = static_cast<signed char>(i);
  return made;
}();

bool is_blank(char c) { return c == '\n' || c == '\r' || c == ' '; }

}  // namespace

std::string base64(std::string_view bytes) {
  auto text = encode(bytes, standard);
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::string base64_url(std::string_view bytes) { return encode(bytes, for_urls); }

std::optional<std::string> from_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  unsigned held = 0, bits = 0;
  std::size_t digits = 0, padding = 0;
  for (char c : text) {
    auto value = values[static_cast<unsigned char>(c)];
    if (value < 0 && is_blank(c)) continue;
    if (value < 0 ? c != '=' : padding > 0) return std::nullopt;
    ++digits;
    if (value < 0) {
      ++padding;
      continue;
    }
    held = held << 6 | static_cast<unsigned>(value);
    if (bits += 6; bits >= 8) bytes += static_cast<char>(held >> (bits -= 8) & 0xff);
  }
  if (digits % 4 != 0 || padding > 2) return std::nullopt;
  return bytes;
}

}  // namespace kopiur::encoding
