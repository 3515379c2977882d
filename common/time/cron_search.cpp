#include <algorithm>
#include <bit>

#include "common/hash/stable_hash.hpp"
#include "common/time/cron.hpp"

namespace kopiur::cron {

using namespace std::chrono;

namespace {

/// The longest pause of an accepted expression is shorter (29 February on a Sunday, across the year 2100: 40 years).
constexpr days patience{366 * 60};

struct window {
  local_seconds begin, end;  ///< [begin, end)
};

bool has(std::uint64_t bits, unsigned n) { return bits >> n & 1; }
std::uint64_t below(unsigned n) { return (std::uint64_t{1} << n) - 1; }

bool on_day(fields const& f, local_days day) {
  year_month_day date{day};
  if (!has(f.months, unsigned(date.month()))) return false;
  bool by_day = has(f.days, unsigned(date.day())), by_weekday = has(f.weekdays, weekday{day}.c_encoding());
  return f.days_starred || f.weekdays_starred ? by_day && by_weekday : by_day || by_weekday;
}

/// The first minute of a day, at or after `from`, that the time fields allow.
std::optional<minutes> first_from(fields const& f, minutes from) {
  auto hour = static_cast<unsigned>(from.count() / 60), minute = static_cast<unsigned>(from.count() % 60);
  if (hour < 24 && has(f.hours, hour))
    if (auto rest = f.minutes & ~below(minute)) return hours{hour} + minutes{std::countr_zero(rest)};
  auto later = hour < 24 ? f.hours & ~below(hour + 1) : 0;
  if (!later) return {};
  return hours{std::countr_zero(later)} + minutes{std::countr_zero(f.minutes)};
}

/// The last minute of a day, before `until`, that the time fields allow.
std::optional<minutes> last_before(fields const& f, minutes until) {
  auto hour = static_cast<unsigned>(until.count() / 60), minute = static_cast<unsigned>(until.count() % 60);
  if (hour < 24 && has(f.hours, hour))
    if (auto rest = f.minutes & below(minute)) return hours{hour} + minutes{std::bit_width(rest) - 1};
  auto earlier = f.hours & below(hour);
  if (!earlier) return {};
  return hours{std::bit_width(earlier) - 1} + minutes{std::bit_width(f.minutes) - 1};
}

/// The number of minutes of a day, before `until`, that the time fields allow.
std::uint64_t count_before(fields const& f, minutes until) {
  auto hour = static_cast<unsigned>(until.count() / 60), minute = static_cast<unsigned>(until.count() % 60);
  auto whole = std::popcount(f.hours & below(hour)) * std::popcount(f.minutes);
  return static_cast<std::uint64_t>(whole + (has(f.hours, hour) ? std::popcount(f.minutes & below(minute)) : 0));
}

local_days first_of_next_month(local_days day) {
  year_month_day date{day};
  return local_days{date.year() / date.month() / 1 + months{1}};
}

std::optional<local_seconds> first_in(fields const& f, window w) {
  auto begin = ceil<minutes>(w.begin);
  auto stop = std::min(w.end, w.begin + patience);
  auto from = begin - floor<days>(begin);
  for (auto day = floor<days>(begin); day < stop; from = minutes{0}) {
    if (!has(f.months, unsigned(year_month_day{day}.month()))) {
      day = first_of_next_month(day);
      continue;
    }
    if (auto found = on_day(f, day) ? first_from(f, from) : std::nullopt)
      return day + *found < stop ? std::optional<local_seconds>(day + *found) : std::nullopt;
    day += days{1};
  }
  return {};
}

std::optional<local_seconds> last_in(fields const& f, window w) {
  auto end = ceil<minutes>(w.end);
  auto stop = std::max(w.begin, w.end - patience);
  auto until = end - floor<days>(end);
  for (auto day = floor<days>(end); day + days{1} > stop; until = hours{24}) {
    year_month_day date{day};
    if (!has(f.months, unsigned(date.month()))) {
      day = local_days{date.year() / date.month() / 1} - days{1};
      continue;
    }
    if (auto found = on_day(f, day) ? last_before(f, until) : std::nullopt)
      return day + *found >= stop ? std::optional<local_seconds>(day + *found) : std::nullopt;
    day -= days{1};
  }
  return {};
}

std::uint64_t count_in(fields const& f, window w) {
  if (w.begin >= w.end) return 0;
  auto begin = ceil<minutes>(w.begin), end = ceil<minutes>(w.end);
  std::uint64_t total = 0;
  for (auto day = floor<days>(begin); day < end; day += days{1}) {
    if (!on_day(f, day)) continue;
    total += count_before(f, std::min(minutes{hours{24}}, end - day));
    if (day < begin) total -= count_before(f, begin - day);
  }
  return total;
}

local_seconds wall(sys_seconds utc, seconds offset) { return local_seconds{utc.time_since_epoch() + offset}; }
sys_seconds real(local_seconds local, seconds offset) { return sys_seconds{local.time_since_epoch() - offset}; }

/// The local times of an era in which slots may lie: a fixed hour ignores the times that the clocks show a second time.
window open_in(fields const& f, zone::era const& e) {
  auto begin = f.follows_the_hours ? e.offset : std::max(e.offset, e.offset_before);
  return {wall(e.begin, begin), wall(e.end, e.offset)};
}

/// Whether slots lie in the hour that was skipped when this era began; they become one slot, at its begin.
bool skipped_at(fields const& f, zone::era const& e) {
  return e.offset > e.offset_before && first_in(f, {wall(e.begin, e.offset_before), wall(e.begin, e.offset)});
}

}  // namespace

std::optional<slot> schedule::next(instant after, zone const& tz) const {
  auto const from = floor<seconds>(after) + seconds{1};
  for (auto e = tz.at(from);; e = tz.at(e.end)) {
    if (e.begin >= from && skipped_at(bits_, e)) return e.begin;
    auto open = open_in(bits_, e);
    open.begin = std::max(open.begin, wall(from, e.offset));
    if (auto found = first_in(bits_, open)) return real(*found, e.offset);
    if (e.end - from > patience) return {};
  }
}

std::optional<slot> schedule::previous(instant before, zone const& tz) const {
  auto const from = ceil<seconds>(before);
  for (auto e = tz.at(from - seconds{1});; e = tz.at(e.begin - seconds{1})) {
    auto open = open_in(bits_, e);
    open.end = std::min(open.end, wall(from, e.offset));
    if (auto found = last_in(bits_, open)) return real(*found, e.offset);
    if (skipped_at(bits_, e)) return e.begin;
    if (from - e.begin > patience) return {};
  }
}

std::uint64_t schedule::count(instant after, instant until, zone const& tz) const {
  auto const from = floor<seconds>(after) + seconds{1}, end = floor<seconds>(until) + seconds{1};  // [from, to)
  std::uint64_t total = 0;
  for (auto time = from; time < end;) {
    auto e = tz.at(time);
    time = e.end;
    auto open = open_in(bits_, e);
    open.begin = std::max(open.begin, wall(from, e.offset));
    open.end = std::min(open.end, wall(end, e.offset));
    total += count_in(bits_, open);
    auto first = wall(e.begin, e.offset);
    bool is_slot_anyway = first_in(bits_, {first, first + seconds{1}}).has_value();
    if (e.begin >= from && !is_slot_anyway && skipped_at(bits_, e)) ++total;
  }
  return total;
}

duration schedule::shortest_gap() const {
  auto const first = *first_from(bits_, minutes{0}), last = *last_before(bits_, hours{24});
  minutes shortest = hours{24 * 366 * 60};
  for (auto day = first; day < last;) {
    auto following = *first_from(bits_, day + minutes{1});
    shortest = std::min(shortest, following - day);
    day = following;
  }
  auto const overnight = hours{24} + first - last;
  auto day = first_in(bits_, {local_days{year{2000} / 1 / 1}, local_days{year{2060} / 1 / 1}});
  while (day && shortest > overnight) {
    auto following = first_in(bits_, {floor<days>(*day) + days{1}, local_days{year{2060} / 1 / 1}});
    if (!following) break;
    shortest = std::min<minutes>(shortest, duration_cast<minutes>(*following - *day) + first - last);
    day = following;
  }
  return shortest;
}

duration jitter(std::string_view key, slot slot, duration window) {
  auto width = static_cast<std::uint64_t>(std::max<std::int64_t>(floor<seconds>(window).count(), 0));
  if (width < 1) return duration::zero();
  auto seconds_text = std::to_string(floor<seconds>(slot).time_since_epoch().count());
  auto dice = hash::stable_hash({"cron jitter", key, seconds_text});
  return seconds{static_cast<std::int64_t>(dice % width)} + milliseconds{static_cast<std::int64_t>(dice / width % 1000)};
}

std::expected<void, std::string> check_jitter(schedule const& schedule, duration window) {
  if (window < duration::zero()) return std::unexpected("jitter is negative; give a length such as 10m, or leave it out.");
  if (auto gap = schedule.shortest_gap(); window >= gap)
    return std::unexpected("jitter " + to_text(window) + " is not below the shortest gap between slots (" + to_text(gap) +
                           "): runs could swap places. Give a shorter jitter.");
  return {};
}

}  // namespace kopiur::cron
