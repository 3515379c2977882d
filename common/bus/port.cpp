#include "common/bus/port.hpp"

#include <algorithm>
#include <cctype>

namespace kopiur::bus {

namespace {
bool same_letter(char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)); }
}  // namespace

std::string_view header(headers const& all, std::string_view name) {
  for (auto const& [key, value] : all)
    if (std::ranges::equal(key, name, same_letter)) return value;
  return {};
}

}  // namespace kopiur::bus
