#include "services/scheduler/core/timetable.hpp"

#include <algorithm>

#include "common/json/codec.hpp"
#include "proto/kopiur/longest.hpp"

namespace kopiur::scheduler {

namespace {

/// More than the minutes of a week: if none of that many cron times lies in the windows, none ever does.
constexpr int most_looks = 12'000;
/// Start of the search for any slot at all.
constexpr instant some_day{std::chrono::sys_days(std::chrono::January / 1 / 2024)};

}  // namespace

std::expected<timetable, std::string> timetable::compile(proto::schedule_rules const& rules, std::string uid) {
  auto cron = cron::schedule::parse(rules.cron, uid);
  if (!cron) return std::unexpected("schedule.cron: " + cron.error());
  auto tz = zone::find(rules.timezone);
  if (!tz) return std::unexpected("schedule.timezone: " + tz.error() + ".");
  auto jitter = proto::longest::within(proto::longest::jitter, rules.jitter.value_or(duration::zero()));
  if (auto fits = cron::check_jitter(*cron, jitter); !fits) return std::unexpected("schedule.jitter: " + fits.error());
  timetable made(*cron, std::move(*tz));
  made.jitter_ = jitter;
  made.uid_ = std::move(uid);
  made.text_ = rules.cron + " " + rules.timezone;
  if (!rules.windows) return made;
  auto when = windows::compile(*rules.windows);
  if (!when) return std::unexpected(when.error());
  made.windows_ = std::move(*when);
  made.text_ += " " + json::write(*rules.windows);
  if (!made.next(some_day))
    return std::unexpected("schedule.windows: no slot of \"" + rules.cron + "\" begins in them, so nothing would ever run.");
  return made;
}

std::optional<instant> timetable::next(instant after) const {
  auto slot = cron_.next(after, zone_);
  for (int looks = 0; slot && !is_slot(*slot); slot = cron_.next(*slot, zone_))
    if (++looks == most_looks) return {};
  return slot;
}

std::optional<instant> timetable::previous(instant before) const {
  auto slot = cron_.previous(before, zone_);
  for (int looks = 0; slot && !is_slot(*slot); slot = cron_.previous(*slot, zone_))
    if (++looks == most_looks) return {};
  return slot;
}

std::uint64_t timetable::count(instant after, instant until) const {
  if (windows_.always_open()) return cron_.count(after, until, zone_);
  std::uint64_t found = 0;
  for (auto slot = next(after); slot && *slot <= until; slot = next(*slot)) ++found;
  return found;
}

instant timetable::begins(instant slot) const {
  if (jitter_ == duration::zero()) return slot;
  auto following = cron_.next(slot, zone_);
  auto window = following ? std::min<duration>(jitter_, *following - slot) : jitter_;
  return slot + cron::jitter(uid_, slot, window);
}

std::optional<instant> timetable::newest_begun(instant now) const {
  auto slot = previous(now + duration{1});
  // The previous slot has begun, since each slot begins before the next slot.
  return slot && begins(*slot) > now ? previous(*slot) : slot;
}

}  // namespace kopiur::scheduler
