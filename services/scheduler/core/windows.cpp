#include "services/scheduler/core/windows.hpp"

#include <algorithm>

#include "common/encoding/number.hpp"

namespace kopiur::scheduler {

using namespace std::chrono;

namespace {

constexpr int day = 24 * 60, week = 7 * day;

/// Minutes since midnight of `22:00`; empty when the text is not such a time.
std::optional<int> minutes_of(std::string const& text) {
  if (text.size() != 5 || text[2] != ':') return {};
  auto hour = encoding::whole_number<unsigned>(text.substr(0, 2)), minute = encoding::whole_number<unsigned>(text.substr(3));
  if (!hour || !minute || *minute >= 60 || *hour * 60 + *minute > day) return {};
  return static_cast<int>(*hour * 60 + *minute);
}

int minute_of_week(local_seconds local) {
  auto midnight = floor<days>(local);
  auto since_monday = static_cast<int>(weekday(midnight).iso_encoding()) - 1;
  return since_monday * day + static_cast<int>(floor<minutes>(local - midnight).count());
}

}  // namespace

std::expected<std::vector<windows::span>, std::string> windows::spans_of(std::vector<proto::time_window> const& from,
                                                                         std::string const& field) {
  std::vector<span> found;
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto begin = minutes_of(from[i].from), end = minutes_of(from[i].to);
    if (!begin || !end)
      return std::unexpected("schedule.windows." + field + "[" + std::to_string(i) + "]: " + (begin ? from[i].to : from[i].from) +
                             " is not a time of day; write hours and minutes, as in 22:00.");
    auto length = *end > *begin ? *end - *begin : *end - *begin + day;
    for (int d = 0; d < 7; ++d)
      if (from[i].days.empty() || std::ranges::find(from[i].days, static_cast<proto::weekday>(d)) != from[i].days.end())
        found.push_back({d * day + *begin, length});
  }
  return found;
}

bool windows::holds(std::vector<span> const& all, int minute) {
  return std::ranges::any_of(all, [&](span const& one) { return (minute - one.begin + 2 * week) % week < one.length; });
}

std::expected<windows, std::string> windows::compile(proto::schedule_windows const& from) {
  windows made;
  auto allowed = spans_of(from.allowed, "allowed"), blackout = spans_of(from.blackout, "blackout");
  if (!allowed) return std::unexpected(allowed.error());
  if (!blackout) return std::unexpected(blackout.error());
  made.allowed_ = std::move(*allowed), made.blackout_ = std::move(*blackout);
  return made;
}

bool windows::open(instant time, zone const& where) const {
  if (always_open()) return true;
  auto minute = minute_of_week(where.local(time));
  return (allowed_.empty() || holds(allowed_, minute)) && !holds(blackout_, minute);
}

std::optional<instant> windows::opens(instant time, zone const& where) const {
  if (open(time, where)) return time;
  auto minute = ceil<minutes>(time);
  for (int n = 0; n <= week + day; ++n, minute += minutes(1))  // one more day, since the clocks may change
    if (open(minute, where)) return minute;
  return {};
}

}  // namespace kopiur::scheduler
