#pragma once
#include <expected>
#include <optional>
#include <string>

#include "common/time/cron.hpp"
#include "proto/kinds/backup_schedule.hpp"

/// A schedule's rules, ready to compute with.
namespace kopiur::scheduler {

class timetable {
 public:
  /// `uid` is what H and jitter come from (for a Maintenance: its uid and `/quick` or `/full`). The error is a sentence that names the
  /// field.
  [[nodiscard]] static std::expected<timetable, std::string> compile(proto::schedule_rules const&, std::string uid);

  /// The slot strictly after, strictly before; how many lie in (after, until].
  std::optional<instant> next(instant after) const { return cron_.next(after, zone_); }
  std::optional<instant> previous(instant before) const { return cron_.previous(before, zone_); }
  std::uint64_t count(instant after, instant until) const { return cron_.count(after, until, zone_); }

  /// When a slot's runs are to begin: slot + jitter, always before the next slot (two slots may be closer than the jitter's window where
  /// the clocks are changed; the window is cut there). So the order of slots is the order of their beginnings.
  instant begins(instant slot) const;

  /// The newest slot that has begun by `now`.
  std::optional<instant> newest_begun(instant now) const;

  /// Cron and zone as text. A state that was decided by another text starts anew: its slots are others.
  std::string const& text() const { return text_; }
  std::string const& uid() const { return uid_; }

 private:
  timetable(cron::schedule cron, zone tz) : cron_(cron), zone_(std::move(tz)) {}
  cron::schedule cron_;
  zone zone_;
  duration jitter_{};
  std::string uid_, text_;
};

}  // namespace kopiur::scheduler
