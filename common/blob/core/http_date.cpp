#include "common/blob/core/http_date.hpp"

#include <array>
#include <string>

namespace kopiur::blob {

std::optional<instant> http_date(std::string_view text) {
  constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") return std::nullopt;
  for (std::size_t month = 0; month < months.size(); ++month) {
    if (text.substr(8, 3) != months[month]) continue;
    auto number = std::to_string(month + 101).substr(1);
    return instant_from(std::string(text.substr(12, 4)) + "-" + number + "-" + std::string(text.substr(5, 2)) + "T" +
                        std::string(text.substr(17, 8)) + "Z");
  }
  return std::nullopt;
}

}  // namespace kopiur::blob
