#include "services/systems/buckety/rules/naming.hpp"

#include <algorithm>

namespace kopiur::buckety {
namespace {

using outcome = std::expected<std::string, std::string>;

constexpr std::string_view label_begin = "${label['", label_end = "']}", backend_begin = "${backend.";

/// The reference at the beginning of a text, `${...}`. A label's key may contain `}`. Empty when it does not end.
std::string_view leading_reference(std::string_view text) {
  std::size_t begin = 0;
  if (text.starts_with(label_begin)) begin = text.find('\'', label_begin.size());
  auto end = begin == text.npos ? begin : text.find('}', begin);
  return end == text.npos ? std::string_view() : text.substr(0, end + 1);
}

outcome value_of_label(std::string_view reference, std::map<std::string, std::string> const& labels) {
  std::string key(reference.substr(label_begin.size(), reference.size() - label_begin.size() - label_end.size()));
  auto found = labels.find(key);
  if (found != labels.end()) return found->second;
  return std::unexpected(std::string(reference) +
                         " refers to a label that the object does not have. Add the label, or change the template.");
}

bool is_default_name(std::string_view text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-'; };
  return !text.empty() && letter(text.front()) && std::ranges::all_of(text, other);
}

outcome unsupported(std::string_view reference) {
  return std::unexpected(std::string(reference) +
                         " is not a supported reference. Use ${name}, ${namespace}, ${label['KEY']} or ${backend.KEY}, without blanks, "
                         "and $$ for a literal $.");
}

outcome value_of(std::string_view reference, naming_sources const& sources) {
  if (reference == "${name}") return sources.name;
  if (reference == "${namespace}") return sources.namespace_;
  bool is_label = reference.starts_with(label_begin) && reference.ends_with(label_end) &&
                  reference.find('\'', label_begin.size()) == reference.size() - label_end.size();
  if (is_label) return value_of_label(reference, sources.labels);
  if (!reference.starts_with(backend_begin)) return unsupported(reference);
  auto key = reference.substr(backend_begin.size(), reference.size() - backend_begin.size() - 1);
  if (!is_default_name(key)) return unsupported(reference);
  auto found = sources.backend_defaults.find(std::string(key));
  if (found != sources.backend_defaults.end()) return found->second;
  return std::unexpected(std::string(reference) +
                         " refers to a default that the backend does not have. The owner of the controller adds it "
                         "to the backend's `defaults`.");
}

}  // namespace

std::expected<std::string, std::string> resolved(std::string_view pattern, naming_sources const& sources) {
  if (pattern.empty()) return sources.name;
  std::string out;
  while (!pattern.empty()) {
    if (!pattern.starts_with("${")) {
      out += pattern.front();
      pattern.remove_prefix(pattern.starts_with("$$") ? 2 : 1);
      continue;
    }
    auto reference = leading_reference(pattern);
    if (reference.empty())
      return std::unexpected(std::string(pattern) + " is unterminated: it has no closing }. Add it, or write $$ for a literal $.");
    auto value = value_of(reference, sources);
    if (!value) return value;
    out += *value;
    pattern.remove_prefix(reference.size());
  }
  return out;
}

}  // namespace kopiur::buckety
