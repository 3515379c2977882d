#include "common/encoding/base32.hpp"

namespace kopiur::encoding {

std::string base32(std::string_view bytes) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  text.reserve((bytes.size() * 8 + 4) / 5);
  unsigned held = 0, bits = 0;
  for (char c : bytes) {
    held = held << 8 | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 5;) text += alphabet[held >> (bits -= 5) & 31];
  }
  if (bits > 0) text += alphabet[held << (5 - bits) & 31];
  return text;
}

}  // namespace kopiur::encoding
