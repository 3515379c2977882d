#include "services/systems/buckety/config/environment.hpp"

namespace kopiur::buckety {
namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", digits = "0123456789";

/// The variable name at the beginning of the text; empty when there is none.
std::string_view leading_name(std::string_view text) {
  if (text.empty() || !letters.contains(text.front())) return {};
  std::size_t end = 1;
  while (end < text.size() && (letters.contains(text[end]) || digits.contains(text[end]))) ++end;
  return text.substr(0, end);
}

/// `${NAME}` or `${NAME:-default}` at the beginning of a text.
struct reference {
  std::string_view name;
  std::optional<std::string_view> otherwise;  ///< the default
  std::size_t length = 0;                     ///< with `${` and `}`
};

std::optional<reference> leading_reference(std::string_view text) {
  reference found{.name = leading_name(text.substr(2)), .otherwise = {}};
  if (found.name.empty()) return {};
  auto begin = 2 + found.name.size(), end = text.find('}', begin);
  if (end == text.npos) return {};
  auto rest = text.substr(begin, end - begin);
  if (rest.starts_with(":-"))
    found.otherwise = rest.substr(2);
  else if (!rest.empty())
    return {};
  found.length = end + 1;
  return found;
}

std::unexpected<std::string> malformed(std::size_t index) {
  return std::unexpected("malformed reference at character " + std::to_string(index + 1) +
                         " of the value. Write ${NAME} or ${NAME:-default}, and $$ for a literal $.");
}

std::unexpected<std::string> undefined(std::string const& name) {
  return std::unexpected("undefined variable " + name + ": the controller's environment does not contain it. Set it, or write ${" + name +
                         ":-default}.");
}

/// A default: `$$` is a literal `$`, and references are refused, because they would not be read.
std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("${")) return {};
    out += text[i];
    if (text.substr(i).starts_with("$$")) ++i;
  }
  return out;
}

}  // namespace

std::expected<std::string, std::string> substituted(std::string_view text, environment const& variables) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    auto rest = text.substr(i);
    if (!rest.starts_with("${")) {
      out += rest.front();
      i += rest.starts_with("$$") ? 2 : 1;
      continue;
    }
    auto found = leading_reference(rest);
    auto otherwise = found && found->otherwise ? unescaped(*found->otherwise) : std::nullopt;
    if (!found || (found->otherwise && !otherwise)) return malformed(i);
    std::string name(found->name);
    auto value = variables(name);
    if (!value) value = std::move(otherwise);
    if (!value) return undefined(name);
    out += *value;
    i += found->length;
  }
  return out;
}

}  // namespace kopiur::buckety
