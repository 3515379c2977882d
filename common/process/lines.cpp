#include "common/process/lines.hpp"

#include <algorithm>

namespace kopiur::process {

void line_splitter::take(std::string_view part) { begun_.append(part.substr(0, limit_ - std::min(limit_, begun_.size()))); }

void line_splitter::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    auto end = bytes.find_first_of("\r\n");
    take(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    finish();
    bytes.remove_prefix(end + 1);
  }
}

void line_splitter::finish() {
  if (!begun_.empty()) each_(begun_);
  begun_.clear();
}

std::string without_escapes(std::string_view text) {
  std::string clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c == 0x1b) {
      if (++i < text.size() && text[i] == '[')
        while (++i < text.size() && (text[i] < '@' || text[i] > '~')) {
        }  // parameters, up to the final byte
      continue;
    }
    if (c >= 0x20 || c == '\t') clean += text[i];
  }
  return clean;
}

}  // namespace kopiur::process
