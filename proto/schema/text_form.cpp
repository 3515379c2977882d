#include "proto/schema/text_form.hpp"

#include <regex>
#include <unordered_map>

namespace kopiur::proto::schema {
namespace {

/// A string literal of CEL.
std::string quoted(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\\' || c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

}  // namespace

bool matches(std::string_view text, std::string_view pattern) {
  if (text.size() > 4096) return false;  // std::regex recurses once per character; every text with a pattern has a bound below this
  static thread_local std::unordered_map<std::string_view, std::regex> compiled;
  auto [at, fresh] = compiled.try_emplace(pattern);
  if (fresh) at->second = std::regex(pattern.begin(), pattern.end(), std::regex::ECMAScript | std::regex::optimize);
  return std::regex_match(text.begin(), text.end(), at->second);
}

bool has_form(std::string_view text, text_form const& form) {
  return form.pattern.empty() ? !text.contains(form.without) : matches(text, form.pattern);
}

std::string cel_of(std::string_view member, text_form const& form) {
  auto self = "self." + std::string(member);
  auto given = "!has(" + self + ") || ";
  return form.pattern.empty() ? given + "!" + self + ".contains(" + quoted(form.without) + ")"
                              : given + self + ".matches(" + quoted(form.pattern) + ")";
}

}  // namespace kopiur::proto::schema
