#include "common/json/cut.hpp"

#include <algorithm>

namespace kopiur::json {

namespace {

/// The position behind the string that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t index) {
  for (++index; index < text.size() && text[index] != '"'; ++index)
    if (text[index] == '\\') ++index;
  return std::min(index + 1, text.size());
}

}  // namespace

std::string cut(std::string_view text, std::size_t depth) {
  std::string out;
  std::size_t level = 0, kept = 0;  // `kept`: start of the text that is not copied yet
  for (std::size_t index = 0; index < text.size();) {
    char c = text[index];
    if (c == '"') {
      index = behind_string(text, index);
      continue;
    }
    bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
    if (opens && level++ == depth) out.append(text, kept, index - kept);
    if (closes && level > 0 && --level == depth) {
      out += '"';
      out += cut_mark;
      out += '"';
      kept = index + 1;
    }
    ++index;
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
