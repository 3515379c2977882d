#pragma once
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "common/time/instant.hpp"
#include "common/time/zone.hpp"

/// Five-field cron with `H`, in a time zone. Pure: every replica and every restart computes the same instants.
namespace kopiur::cron {

/// The scheduled instant; it identifies what happens then. Jitter delays the run, never the slot.
using slot = instant;

/// The allowed values of the five fields, as bitmaps: bit n = the value n.
struct fields {
  std::uint64_t minutes = 0;       ///< 0-59
  std::uint32_t hours = 0;         ///< 0-23
  std::uint32_t days = 0;          ///< of the month, 1-31
  std::uint32_t months = 0;        ///< 1-12
  std::uint32_t weekdays = 0;      ///< 0-6, 0 is Sunday
  bool days_starred = false;       ///< the field begins with `*`; see schedule
  bool weekdays_starred = false;   ///< the field begins with `*`
  bool follows_the_hours = false;  ///< the hour field contains `*` or `/`: fires on both passes of a repeated hour
  bool operator==(fields const&) const = default;
};

/// A parsed cron expression.
/// - Fields: minute, hour, day of month, month, day of week; `*`, values, names (JAN-DEC, SUN-SAT), lists, ranges, steps; 0 and 7 are
///   Sunday. Aliases: `@hourly @daily @midnight @weekly @monthly @yearly @annually`.
/// - Vixie's rule: if day of month and day of week are both restricted (neither begins with `*`), a day that matches either one counts.
/// - `H`, `H(a-b)`, `H/n`, `H(a-b)/n` stand for a value (for `/n`: a phase) that depends only on (key, field), evenly over the field. A day
///   of the month from `H` is 1-28. A hashed date that never exists (31 February) is drawn again.
/// - Clocks forward: the slots of the skipped hour are one slot, at the first valid instant; another slot at that instant is the same slot.
///   Clocks back: a fixed hour fires on the first pass only, an hour field with `*` or `/` on both.
class schedule {
 public:
  /// `key` is the input of `H`: the UID of the schedule (any text when only the form is checked). The error is a sentence that names field
  /// and position.
  [[nodiscard]] static std::expected<schedule, std::string> parse(std::string_view text, std::string_view key);

  /// The first slot strictly after an instant; nothing only at the end of the calendar.
  std::optional<slot> next(instant after, zone const&) const;
  /// The last slot strictly before an instant.
  std::optional<slot> previous(instant before, zone const&) const;
  /// The number of slots in (after, until]; the cost depends on the days between, not on the slots.
  std::uint64_t count(instant after, instant until, zone const&) const;
  /// The shortest distance between neighbouring slots by the calendar, without changes of the clocks.
  duration shortest_gap() const;

  fields const& bits() const { return bits_; }
  bool operator==(schedule const&) const = default;

 private:
  explicit schedule(fields const& bits) : bits_(bits) {}
  fields bits_;
};

/// The delay of a run after its slot, in milliseconds: evenly below `window` (rounded down to seconds), always the same for (key, slot).
duration jitter(std::string_view key, slot, duration window);

/// Refuses a window that is negative or not below the shortest gap: runs of one schedule could swap places. The error is a sentence.
[[nodiscard]] std::expected<void, std::string> check_jitter(schedule const&, duration window);

}  // namespace kopiur::cron
