#include "common/bus/subject.hpp"

namespace kopiur::bus {

namespace {
/// Removes the first token from `rest`.
std::string_view take(std::string_view& rest) {
  auto dot = rest.find('.');
  auto token = rest.substr(0, dot);
  rest = dot == std::string_view::npos ? std::string_view{} : rest.substr(dot + 1);
  return token;
}
}  // namespace

bool matches(std::string_view filter, std::string_view subject) {
  while (!filter.empty() && !subject.empty()) {
    auto wanted = take(filter);
    if (wanted == ">" && filter.empty()) return true;
    auto token = take(subject);
    if (wanted != "*" && wanted != token) return false;
  }
  return filter.empty() && subject.empty();
}

}  // namespace kopiur::bus
