#include "common/config/scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace kopiur::config {
namespace {

using words = std::initializer_list<std::string_view>;
bool among(std::string_view text, words known) { return std::ranges::find(known, text) != known.end(); }

constexpr auto digits_only = [](std::string_view text, std::string_view digits) {
  return !text.empty() && text.find_first_not_of(digits) == text.npos;
};

/// `0x`, `0o`, `0b`, and YAML 1.1's leading zero.
struct radix {
  std::string_view prefix, digits;
  int base;
};
constexpr std::array<radix, 4> radixes{
    {{"0x", "0123456789abcdefABCDEF", 16}, {"0o", "01234567", 8}, {"0b", "01", 2}, {"0", "01234567", 8}}};

std::optional<json::value> whole(std::string_view text) {
  bool negative = text.starts_with('-');
  auto rest = negative || text.starts_with('+') ? text.substr(1) : text;
  int base = 10;
  if (rest.size() > 1) {
    for (auto& each : radixes)
      if (rest.starts_with(each.prefix) && digits_only(rest.substr(each.prefix.size()), each.digits)) {
        rest.remove_prefix(each.prefix.size());
        base = each.base;
        break;
      }
  }
  if (base == 10 && !digits_only(rest, "0123456789")) return {};
  std::int64_t n = 0;
  std::string signed_text = (negative ? "-" : "") + std::string(rest);
  auto [end, failed] = std::from_chars(signed_text.data(), signed_text.data() + signed_text.size(), n, base);
  if (failed == std::errc{}) return json::value(static_cast<long long>(n));
  double big = 0;
  bool fits = base == 10 && std::from_chars(signed_text.data(), signed_text.data() + signed_text.size(), big).ec == std::errc{};
  return fits ? std::optional(json::value(big)) : std::nullopt;
}

/// `1.5`, `.5`, `1e3`, `-2.`; needs a digit, and a point or an exponent.
std::optional<json::value> decimal(std::string_view text) {
  auto rest = text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
  if (!digits_only(rest, "0123456789.eE+-") || rest.find_first_of("0123456789") == rest.npos) return {};
  if (rest.front() != '.' && (rest.front() < '0' || rest.front() > '9')) return {};
  double d = 0;
  auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), d);
  if (failed != std::errc{} || end != rest.data() + rest.size()) return {};
  if (text.starts_with('-')) d = -d;
  // JSON has one number type: there 1e3 is the whole number 1000, as in Kubernetes.
  if (d == std::floor(d) && std::abs(d) < 9e15) return json::value(static_cast<long long>(d));
  return json::value(d);
}

std::optional<json::value> truth(std::string_view text) {
  if (among(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return json::value(true);
  if (among(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})) return json::value(false);
  return {};
}

bool is_no_number(std::string_view text) {
  auto rest = text.starts_with('-') || text.starts_with('+') ? text.substr(1) : text;
  return among(rest, {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"});
}

}  // namespace

bool is_null(std::string_view text) { return text.empty() || among(text, {"~", "null", "Null", "NULL"}); }

std::optional<json::value> plain_scalar(std::string_view text) {
  if (is_null(text)) return json::value(nullptr);
  if (auto b = truth(text)) return b;
  if (is_no_number(text)) return {};
  if (auto n = whole(text)) return n;
  if (auto d = decimal(text)) return d;
  return json::value(text);
}

std::optional<json::value> tagged_scalar(std::string_view tag, std::string_view text) {
  constexpr std::string_view prefix = "tag:yaml.org,2002:";
  if (!tag.starts_with(prefix)) return {};
  tag.remove_prefix(prefix.size());
  if (tag == "str") return json::value(text);
  if (tag == "null") return is_null(text) ? std::optional(json::value(nullptr)) : std::nullopt;
  if (tag == "bool") return truth(text);
  if (tag == "int") return whole(text);
  if (tag == "float") {
    auto n = whole(text);
    return n ? n : decimal(text);
  }
  return {};
}

}  // namespace kopiur::config
