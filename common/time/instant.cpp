#include "common/time/instant.hpp"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace kopiur {

using namespace std::chrono;

std::string to_text(instant moment) {
  auto day = floor<days>(moment);
  year_month_day date{day};
  hh_mm_ss<milliseconds> time{moment - day};
  char text[48];
  int n = std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d", int(date.year()), unsigned(date.month()), unsigned(date.day()),
                        int(time.hours().count()), int(time.minutes().count()), int(time.seconds().count()));
  std::string out(text, static_cast<std::size_t>(n));
  if (auto rest = time.subseconds().count()) {
    std::snprintf(text, sizeof text, ".%03d", int(rest));
    out += text;
  }
  return out + "Z";
}

std::string to_text(duration length) {
  if (length == duration::zero()) return "0s";
  std::string out;
  auto part = [&](auto unit, char const* name) {
    auto n = duration_cast<decltype(unit)>(length);
    if (n.count()) out += std::to_string(n.count()) + name;
    length -= n;
  };
  part(hours{}, "h"), part(minutes{}, "m"), part(seconds{}, "s"), part(milliseconds{}, "ms");
  return out;
}

namespace {

/// Reads `digits` decimal digits from the front.
std::optional<int> number(std::string_view& text, std::size_t digits) {
  int n = 0;
  if (text.size() < digits) return {};
  for (char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return {};
    n = n * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  return n;
}

bool skip(std::string_view& text, std::string_view any_of) {
  if (text.empty() || any_of.find(text.front()) == any_of.npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<milliseconds> fraction(std::string_view& text) {
  if (!skip(text, ".")) return milliseconds{0};
  int value = 0, digits = 0;
  for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1), ++digits)
    if (digits < 3) value = value * 10 + (text.front() - '0');
  for (int index = digits; index < 3; ++index) value *= 10;
  return digits ? std::optional(milliseconds{value}) : std::nullopt;
}

std::optional<minutes> offset(std::string_view& text) {
  if (skip(text, "Zz")) return minutes{0};
  bool west = !text.empty() && text.front() == '-';
  if (!skip(text, "+-")) return {};
  auto h = number(text, 2);
  if (!h || !skip(text, ":")) return {};
  auto m = number(text, 2);
  if (!m || *h > 23 || *m > 59) return {};
  auto total = hours{*h} + minutes{*m};
  return west ? -total : total;
}

}  // namespace

std::optional<instant> instant_from(std::string_view text) {
  auto y = number(text, 4);
  if (!y || !skip(text, "-")) return {};
  auto mo = number(text, 2);
  if (!mo || !skip(text, "-")) return {};
  auto d = number(text, 2);
  if (!d || !skip(text, "Tt ")) return {};
  auto h = number(text, 2);
  if (!h || !skip(text, ":")) return {};
  auto mi = number(text, 2);
  if (!mi || !skip(text, ":")) return {};
  auto s = number(text, 2);
  if (!s) return {};
  auto ms = fraction(text);
  if (!ms) return {};
  auto east = offset(text);
  year_month_day date{year{*y}, month{static_cast<unsigned>(*mo)}, day{static_cast<unsigned>(*d)}};
  if (!east || !text.empty() || !date.ok() || *h > 23 || *mi > 59 || *s > 60) return {};
  instant time = sys_days{date} + hours{*h} + minutes{*mi} + seconds{*s} + *ms - *east;
  bool has_four_digits =
      time >= sys_days{year{0} / 1 / 1} && time < sys_days{year{10'000} / 1 / 1};  // in UTC: otherwise it cannot be written
  return has_four_digits ? std::optional(time) : std::nullopt;
}

std::optional<duration> duration_from(std::string_view text) {
  if (text == "0") return duration::zero();
  if (text.empty()) return {};
  double total = 0;
  while (!text.empty()) {
    double n = 0;
    auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), n, std::chars_format::fixed);
    if (failed != std::errc{} || !std::isfinite(n) || std::signbit(n)) return {};  // from_chars accepts `inf` and `nan`
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    double unit = 0;
    if (text.starts_with("ms"))
      unit = 1, text.remove_prefix(1);
    else if (text.starts_with('s'))
      unit = 1e3;
    else if (text.starts_with('m'))
      unit = 60e3;
    else if (text.starts_with('h'))
      unit = 3600e3;
    else if (text.starts_with('d'))
      unit = 86400e3;
    else
      return {};
    text.remove_prefix(1);
    total += n * unit;
  }
  if (total > 1e15) return {};  // some 30,000 years: no valid input
  return duration{std::llround(total)};
}

}  // namespace kopiur
