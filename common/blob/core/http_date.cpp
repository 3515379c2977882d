#include "common/blob/core/http_date.hpp"

#include <array>
#include <string>

namespace kopiur::blob {

namespace {

constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> weekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

}  // namespace

std::optional<instant> http_date(std::string_view text) {
  if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") return std::nullopt;
  for (std::size_t month = 0; month < months.size(); ++month) {
    if (text.substr(8, 3) != months[month]) continue;
    auto number = std::to_string(month + 101).substr(1);
    return instant_from(std::string(text.substr(12, 4)) + "-" + number + "-" + std::string(text.substr(5, 2)) + "T" +
                        std::string(text.substr(17, 8)) + "Z");
  }
  return std::nullopt;
}

std::string to_http_date(instant when) {
  auto text = kopiur::to_text(std::chrono::floor<std::chrono::seconds>(when));  // 2026-11-21T06:00:00Z
  auto weekday = std::chrono::weekday(std::chrono::floor<std::chrono::days>(when)).c_encoding();
  auto month = months[static_cast<std::size_t>(std::stoi(text.substr(5, 2))) - 1];
  return std::string(weekdays[weekday]) + ", " + text.substr(8, 2) + " " + std::string(month) + " " + text.substr(0, 4) + " " +
         text.substr(11, 8) + " GMT";
}

}  // namespace kopiur::blob
