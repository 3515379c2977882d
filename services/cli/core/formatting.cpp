#include "services/cli/core/formatting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace kopiur::cli {

namespace {

struct unit {
  std::int64_t seconds;  ///< length of one unit
  std::int64_t until;    ///< used below this many seconds
  std::string_view name;
};
constexpr std::int64_t minute = 60, hour = 60 * minute, day = 24 * hour, week = 7 * day, year = 365 * day;
constexpr std::array units{unit{1, 2 * minute, "s"}, unit{minute, 2 * hour, "min"}, unit{hour, 2 * day, "h"},
                           unit{day, 2 * week, "d"}, unit{week, 2 * year, "weeks"}, unit{year, INT64_MAX, "years"}};

}  // namespace

std::string length_text(duration length) {
  auto seconds = std::max<std::int64_t>(0, std::chrono::floor<std::chrono::seconds>(length).count());
  auto fits = std::ranges::find_if(units, [&](unit const& one) { return seconds < one.until; });
  return std::to_string(seconds / fits->seconds) + " " + std::string(fits->name);
}

std::string when_text(instant time, instant now) {
  auto apart = time > now ? time - now : now - time;
  if (apart < std::chrono::seconds(1)) return "now";
  return time > now ? "in " + length_text(apart) : length_text(apart) + " ago";
}

std::string size_text(std::int64_t bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto left = static_cast<double>(bytes);
  std::size_t power = 0;
  while (std::abs(left) >= 1023.5 && power + 1 < names.size()) left /= 1024, ++power;
  char text[32];
  bool fraction = power > 0 && std::abs(left) < 9.95;
  std::snprintf(text, sizeof text, fraction ? "%.1f %s" : "%.0f %s", left, names[power]);
  return text;
}

std::string bar_text(double percent, int width) {
  auto full = static_cast<int>(std::clamp(percent, 0.0, 100.0) / 100 * width + 0.5);
  return "[" + std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(width - full), '-') + "]";
}

std::string harmless(std::string_view text, std::string_view kept) {
  std::string out;
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool is_c1 = byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) < 0xA0;
    bool is_control = is_c1 || ((byte(i) < 0x20 || byte(i) == 0x7f) && !kept.contains(text[i]));
    out += is_control ? '?' : text[i];
    if (is_c1) ++i;  // its second byte
  }
  return out;
}

}  // namespace kopiur::cli
