#include "services/systems/buckety/s3/bucket_name.hpp"

#include <algorithm>

namespace kopiur::buckety::s3 {
namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/// Four groups of digits: S3 refuses them even where they are no address, as in `999.1.1.1`.
bool is_dotted_quad(std::string_view name) {
  return std::ranges::count(name, '.') == 3 && std::ranges::all_of(name, [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
}

// Names that S3 keeps for itself.
constexpr std::string_view reserved_beginnings[]{"xn--", "sthree-", "amzn-s3-demo-"};
constexpr std::string_view reserved_ends[]{"-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3"};

}  // namespace

std::optional<std::string> refuse_bucket_name(std::string_view name) {
  auto refused = [&](std::string why) { return "\"" + std::string(name.substr(0, 80)) + "\" is not a valid bucket name: " + why; };
  if (name.size() < 3 || name.size() > 63) return refused("it has " + std::to_string(name.size()) + " characters, and needs 3 to 63.");
  if (!std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '.' || c == '-'; }))
    return refused("only lowercase letters, digits, `.` and `-` are allowed.");
  if (!is_letter_or_digit(name.front()) || !is_letter_or_digit(name.back()))
    return refused("it must begin and end with a lowercase letter or a digit.");
  if (name.contains("..")) return refused("two dots must not follow each other.");
  if (is_dotted_quad(name)) return refused("it looks like an IP address.");
  for (auto each : reserved_beginnings)
    if (name.starts_with(each)) return refused("S3 reserves names that begin with `" + std::string(each) + "`.");
  for (auto each : reserved_ends)
    if (name.ends_with(each)) return refused("S3 reserves names that end with `" + std::string(each) + "`.");
  return {};
}

}  // namespace kopiur::buckety::s3
