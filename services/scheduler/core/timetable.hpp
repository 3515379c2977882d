#pragma once
#include <expected>
#include <optional>
#include <string>

#include "common/time/cron.hpp"
#include "proto/kopiur/backup_schedule.hpp"
#include "services/scheduler/core/windows.hpp"

/// A schedule's rules, compiled for computing slots.
namespace kopiur::scheduler {

class timetable {
 public:
  /// `uid` determines H and jitter (for a Maintenance: its uid and `/quick` or `/full`). The error is a sentence that names the field.
  [[nodiscard]] static std::expected<timetable, std::string> compile(proto::schedule_rules const&, std::string uid);

  /// The slot strictly after, the slot strictly before, and the number of slots in (after, until]. A cron time that would begin outside the
  /// windows is not a slot.
  std::optional<instant> next(instant after) const;
  std::optional<instant> previous(instant before) const;
  std::uint64_t count(instant after, instant until) const;

  /// When a slot's runs begin: slot + jitter, always before the next slot. Where the clocks change, two slots may be closer than the
  /// jitter's window; then the window ends at the next slot. So slots begin in their order.
  instant begins(instant slot) const;

  /// The newest slot that has begun by `now`.
  std::optional<instant> newest_begun(instant now) const;
  /// The first time from `now` on at which a late slot may begin; empty: the windows are never open.
  std::optional<instant> opens(instant now) const { return windows_.opens(now, zone_); }

  /// Cron, zone and windows as text. A state with another text starts from now, since its slots differ.
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
