#include "services/scheduler/core/timetable.hpp"

#include <algorithm>

namespace kopiur::scheduler {

std::expected<timetable, std::string> timetable::compile(proto::schedule_rules const& rules, std::string uid) {
  auto cron = cron::schedule::parse(rules.cron, uid);
  if (!cron) return std::unexpected("schedule.cron: " + cron.error());
  auto tz = zone::find(rules.timezone);
  if (!tz) return std::unexpected("schedule.timezone: " + tz.error() + ".");
  auto jitter = rules.jitter.value_or(duration::zero());
  if (auto fits = cron::check_jitter(*cron, jitter); !fits) return std::unexpected("schedule.jitter: " + fits.error());
  timetable made(*cron, std::move(*tz));
  made.jitter_ = jitter;
  made.uid_ = std::move(uid);
  made.text_ = rules.cron + " " + rules.timezone;
  return made;
}

instant timetable::begins(instant slot) const {
  if (jitter_ == duration::zero()) return slot;
  auto following = next(slot);
  auto window = following ? std::min<duration>(jitter_, *following - slot) : jitter_;
  return slot + cron::jitter(uid_, slot, window);
}

std::optional<instant> timetable::newest_begun(instant now) const {
  auto slot = previous(now + duration{1});
  // The one before has begun: it does so before this one's slot.
  return slot && begins(*slot) > now ? previous(*slot) : slot;
}

}  // namespace kopiur::scheduler
