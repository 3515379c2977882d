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

/// The instant at which a schedule says "now": it names what happens then. Jitter moves the act, never the slot.
using slot = instant;

/// What the five fields allow, as bitmaps: bit n = the value n.
struct fields {
  std::uint64_t minutes = 0;       ///< 0-59
  std::uint32_t hours = 0;         ///< 0-23
  std::uint32_t days = 0;          ///< of the month, 1-31
  std::uint32_t months = 0;        ///< 1-12
  std::uint32_t weekdays = 0;      ///< 0-6, 0 is Sunday
  bool days_starred = false;       ///< the field begins with `*`; see schedule
  bool weekdays_starred = false;   ///< the field begins with `*`
  bool follows_the_hours = false;  ///< the hour field holds `*` or `/`: fires on both passes of a repeated hour
  bool operator==(fields const&) const = default;
};

/// A parsed cron expression.
/// - Fields: minute, hour, day of month, month, day of week; `*`, values, names (JAN-DEC, SUN-SAT), lists, ranges, steps; 0 and 7 are
/// Sunday.
///   `@hourly @daily @midnight @weekly @monthly @yearly @annually`.
/// - Vixie's rule: where day of month and day of week are both restricted (neither begins with `*`), a day that meets either will do.
/// - `H`, `H(a-b)`, `H/n`, `H(a-b)/n` stand for a value (for `/n`: a phase) that depends on (key, field) only, even over the field; a day
/// of
///   the month from `H` is 1-28. A hashed day or month that would never come together (31 February) is drawn again.
/// - The clocks go forward: slots of the skipped hour are one slot, at the first valid instant; if another slot is at that instant, they
/// are
///   that slot. The clocks go back: a fixed hour fires on the first pass only, an hour field with `*` or `/` on both.
class schedule {
 public:
  /// `key` is what `H` is derived from: the UID of the schedule (any text when only the form is checked). The error is a sentence that
  /// names field and position.
  [[nodiscard]] static std::expected<schedule, std::string> parse(std::string_view text, std::string_view key);

  /// The first slot strictly after an instant; nothing only at the end of the calendar.
  std::optional<slot> next(instant after, zone const&) const;
  /// The last slot strictly before an instant.
  std::optional<slot> previous(instant before, zone const&) const;
  /// How many slots lie in (after, until]; the cost is that of the days between, not of the slots.
  std::uint64_t count(instant after, instant until, zone const&) const;
  /// The shortest distance between neighbouring slots by the calendar, changes of the clocks left aside.
  duration shortest_gap() const;

  fields const& bits() const { return bits_; }
  bool operator==(schedule const&) const = default;

 private:
  explicit schedule(fields const& bits) : bits_(bits) {}
  fields bits_;
};

/// How much later than its slot an act starts: below `window` in whole seconds, even over it, the same forever for (key, slot).
duration jitter(std::string_view key, slot, duration window);

/// Refuses a window that is negative or not below the shortest gap: acts of one schedule could swap places. The error is a sentence.
[[nodiscard]] std::expected<void, std::string> check_jitter(schedule const&, duration window);

}  // namespace kopiur::cron
