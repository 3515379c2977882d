#include "common/time/cron.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
namespace {

using namespace std::chrono;
using cron::schedule;

/// The longest gap between two slots: 29 February that is also a Sunday, across the year 2100.
constexpr days longest_pause{366 * 41};

/// Whether the fields allow that minute, computed from the calendar alone.
bool allows(cron::fields const& f, instant moment) {
  auto day = floor<days>(moment);
  year_month_day date{day};
  hh_mm_ss time{moment - day};
  bool by_day = f.days >> unsigned(date.day()) & 1, by_weekday = f.weekdays >> weekday{day}.c_encoding() & 1;
  bool on_day = f.days_starred || f.weekdays_starred ? by_day && by_weekday : by_day || by_weekday;
  return on_day && (f.months >> unsigned(date.month()) & 1) && (f.hours >> time.hours().count() & 1) &&
         (f.minutes >> time.minutes().count() & 1) && moment == floor<minutes>(moment);
}

void check_slots(schedule const& every, instant now, zone const& where) {
  auto next = every.next(now, where);
  require(next.has_value(), "a schedule that was accepted comes");
  require(*next > now && *next - now <= longest_pause, "the next slot is after now, and within a lifetime");
  require(every.previous(*next + milliseconds{1}, where) == next, "the slot before the moment after a slot is that slot");
  require(every.count(now, *next, where) == 1, "there is one slot from now to the next");
  auto last = every.previous(now, where);
  require(!last || (*last < now && every.next(*last - milliseconds{1}, where) == last),
          "the slot after the moment before a slot is that slot");
}

void check_calendar(schedule const& every, instant now) {
  auto next = *every.next(now, zone::utc()), following = *every.next(next, zone::utc());
  require(allows(every.bits(), next), "a slot is where the fields say");
  require(following - next >= every.shortest_gap() && every.shortest_gap() >= minutes{1}, "no two slots are closer than the shortest gap");
  auto length = every.shortest_gap() - seconds{1};
  auto late = cron::jitter("uid", next, length);
  require(late >= duration::zero() && late < length, "jitter is within its window");
}

}  // namespace

/// The first line is the expression, the second the time zone, the third the moment at which the search for slots starts.
void look(std::string_view input) {
  auto text = take_line(input), name = take_line(input);
  auto now = instant_from(take_line(input)).value_or(instant{sys_days{2026y / 11 / 21}});
  auto where = zone::find(name);
  require(where ? where->name() == name || name == "Etc/UTC" : !where.error().empty(), "a zone has its name, and a refusal a reason");
  auto every = schedule::parse(text, "uid");
  if (!every) return require(every.error().starts_with("cron \""), "a refusal quotes the expression");
  require(schedule::parse(text, "uid") == every, "an expression means the same each time");
  check_calendar(*every, now);
  check_slots(*every, now, where.value_or(zone::utc()));
}

}  // namespace kopiur::fuzz
