#pragma once
#include <expected>
#include <optional>
#include <string>

#include "common/time/cron.hpp"
#include "proto/kopiur/backup_schedule.hpp"
#include "services/scheduler/core/windows.hpp"

/// A schedule's rules, ready to compute with.
namespace kopiur::scheduler {

class timetable {
 public:
  /// `uid` is what H and jitter come from (for a Maintenance: its uid and `/quick` or `/full`). The error is a sentence that names the
  /// field.
  [[nodiscard]] static std::expected<timetable, std::string> compile(proto::schedule_rules const&, std::string uid);

  /// The slot strictly after, strictly before; how many lie in (after, until]. What would begin outside the windows is no slot.
  std::optional<instant> next(instant after) const;
  std::optional<instant> previous(instant before) const;
  std::uint64_t count(instant after, instant until) const;

  /// When a slot's runs are to begin: slot + jitter, always before the next slot (two slots may be closer than the jitter's window where
  /// the clocks are changed; the window is cut there). So the order of slots is the order of their beginnings.
  instant begins(instant slot) const;

  /// The newest slot that has begun by `now`.
  std::optional<instant> newest_begun(instant now) const;
  /// Since when, from `now` on, something may begin, be it late; nothing: the windows are never open.
  std::optional<instant> opens(instant now) const { return windows_.opens(now, zone_); }

  /// Cron, zone and windows as text. A state that was decided by another text begins again: its slots are others.
  std::string const& text() const { return text_; }
  std::string const& uid() const { return uid_; }

 private:
  timetable(cron::schedule cron, zone tz) : cron_(cron), zone_(std::move(tz)) {}
  bool is_slot(instant of_cron) const { return windows_.always_open() || windows_.open(begins(of_cron), zone_); }

  cron::schedule cron_;
  zone zone_;
  windows windows_;
  duration jitter_{};
  std::string uid_, text_;
};

}  // namespace kopiur::scheduler
