#include "services/systems/buckety/kadm/topic_name.hpp"

#include <algorithm>

namespace kopiur::buckety::kadm {
namespace {

constexpr std::size_t max_length = 249;  // with the partition's number it is the name of a folder

bool is_allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-';
}

}  // namespace

std::optional<std::string> refuse_topic_name(std::string_view name) {
  auto refused = [&](std::string why) { return "\"" + std::string(name.substr(0, 80)) + "\" is not a valid topic name: " + why; };
  if (name.empty() || name.size() > max_length)
    return refused("it has " + std::to_string(name.size()) + " characters, and needs 1 to " + std::to_string(max_length) + ".");
  if (!std::ranges::all_of(name, is_allowed)) return refused("only letters, digits, `.`, `_` and `-` are allowed.");
  if (name == "." || name == "..") return refused("it must not be `.` or `..`.");
  if (name.starts_with("__")) return refused("Kafka reserves names that begin with `__`.");
  return {};
}

}  // namespace kopiur::buckety::kadm
