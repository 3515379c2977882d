#include "common/json/cut.hpp"

#include <algorithm>

namespace kopiur::json {

namespace {

/// The position behind the string that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

}  // namespace

std::string cut(std::string_view text, std::size_t depth) {
  std::string out;
  std::size_t level = 0, kept = 0;  // `kept`: start of the text that is not copied yet
  for (std::size_t at = 0; at < text.size();) {
    char c = text[at];
    if (c == '"') {
      at = behind_string(text, at);
      continue;
    }
    bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
    if (opens && level++ == depth) out.append(text, kept, at - kept);
    if (closes && level > 0 && --level == depth) {
      out += '"';
      out += cut_mark;
      out += '"';
      kept = at + 1;
    }
    ++at;
  }
  if (level <= depth) out.append(text, kept);
  return out;
}

bool is_cut(value const& read) {
  if (auto* text = read.as_string()) return *text == cut_mark;
  if (auto* items = read.as_array()) return std::ranges::any_of(*items, is_cut);
  auto* members = read.as_object();
  return members && std::ranges::any_of(*members, [](member const& one) { return is_cut(one.second); });
}

}  // namespace kopiur::json
