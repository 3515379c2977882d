#include <algorithm>

#include "common/config/manifest.hpp"
#include "common/config/scalar.hpp"

namespace kopiur::config {
namespace {

/// Whether the unquoted text is read back unchanged.
bool plain(std::string_view text) {
  auto read = plain_scalar(text);
  if (!read || !read->as_string()) return false;
  if (text == "y" || text == "n" || text == "Y" || text == "N") return false;  // older readers treat these as booleans
  if (std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; })) return false;
  if (text.find_first_of("\"\\") != text.npos || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (text.find(": ") != text.npos || text.find(" #") != text.npos || text.starts_with("---") || text.starts_with("...")) return false;
  if (text.starts_with("- ") || text == "-" || text.starts_with("? ") || text == "?" || text == "=" || text == "<<") return false;
  return std::string_view("&*!|>'%@`#{}[],:").find(text.front()) == std::string_view::npos;
}

/// JSON's form, with DEL escaped too: YAML treats it as a control character.
std::string quoted(std::string const& text) {
  auto out = json::dump(json::value(text));
  for (auto index = out.find('\x7f'); index != out.npos; index = out.find('\x7f', index)) out.replace(index, 1, "\\x7f");
  return out;
}

/// Quotes text that JSON escapes (bytes that are not UTF-8, control characters) or that begins with a byte order mark.
std::string one_line(std::string const& text) {
  auto safe = quoted(text);
  bool as_it_is = plain(text) && safe == '"' + text + '"' && !text.starts_with("\xef\xbb\xbf");
  return as_it_is ? text : safe;
}

void write(std::string& out, json::value const& v, int depth, bool after_dash);

std::string indent(int depth) { return std::string(static_cast<std::size_t>(depth) * 2, ' '); }

/// YAML accepts at most 1024 characters before a colon; a longer key needs the explicit form, `? key`.
constexpr std::size_t longest_key = 1000;

void member(std::string& out, json::member const& one, int depth) {
  auto key = one_line(one.first);
  bool is_explicit = key.size() > longest_key;
  out += is_explicit ? "? " + key + "\n" + indent(depth) + ":" : key + ":";
  auto* items = one.second.as_array();
  auto* members = one.second.as_object();
  if ((items && !items->empty()) || (members && !members->empty())) {
    out += "\n";
    write(out, one.second, depth + (items && !is_explicit ? 0 : 1), false);
  } else {
    out += " ";
    write(out, one.second, depth, false);
  }
}

void write(std::string& out, json::value const& v, int depth, bool after_dash) {
  if (auto* members = v.as_object(); members && !members->empty()) {
    for (bool first = after_dash; auto& each : *members) {
      if (!std::exchange(first, false)) out += indent(depth);
      member(out, each, depth);
    }
  } else if (auto* items = v.as_array(); items && !items->empty()) {
    for (bool first = after_dash; auto& each : *items) {
      if (!std::exchange(first, false)) out += indent(depth);
      out += "- ";
      write(out, each, depth + 1, true);
    }
  } else {
    out += (v.as_string() ? one_line(*v.as_string()) : json::dump(v)) + "\n";
  }
}

}  // namespace

std::string to_yaml(json::value const& v) {
  std::string out;
  write(out, v, 0, false);
  return out;
}

}  // namespace kopiur::config
