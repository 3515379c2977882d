#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "common/time/instant.hpp"
#include "proto/events/run.hpp"

/// A schedule's state, and the outcome of a decision about it. Plain data: together they are the schedule's fact on the bus. The scheduler
/// writes them; a system reports them in status.
namespace kopiur::controller {

/// A run that a slot ordered; a slot orders one per source.
struct slot_run {
  std::string source;  ///< source path, as the config resolved it when the slot fired
  std::string run;     ///< derived from object, slot and source: timed_kind::runs
  bool terminal = false;
  std::optional<instant> slot;  ///< of an earlier slot that the newest passed: it waits for something missing
  bool waits = false;           ///< not prepared yet: something that it needs is missing
  bool operator==(slot_run const&) const = default;
};
KOPIUR_DESCRIBE(slot_run, (), (source, run, terminal, slot, waits))

/// The last slot that fired, with the sources resolved for it: Forbid and Replace use it. Manual Backups are not included.
struct last_fire {
  instant slot{};
  instant scheduled_at{};  ///< slot + jitter
  std::vector<slot_run> runs;
  bool operator==(last_fire const&) const = default;
};
KOPIUR_DESCRIBE(last_fire, (), (slot, scheduled_at, runs))

/// The slot that ordered the run.
inline instant slot_of(last_fire const& last, slot_run const& one) { return one.slot.value_or(last.slot); }

/// A large advance of `settled` in one step, over missed slots: a long downtime, or a wrong clock. Forgotten once time has moved on from
/// there.
struct clock_leap {
  instant from{}, to{};
  bool operator==(clock_leap const&) const = default;
};
KOPIUR_DESCRIBE(clock_leap, (), (from, to))

struct schedule_state {
  std::string uid;
  instant created{};            ///< the object's creationTimestamp: no slot up to it ever fires
  std::string timetable;        ///< cron, zone and windows of the slots; another text starts from now
  instant settled{};            ///< every slot up to here is decided: fired, missed, skipped or passed over
  bool create_settled = false;  ///< runOnCreate was decided
  bool suspended = false;
  std::optional<instant> held;     ///< the first slot blocked by the current hold
  std::optional<clock_leap> leap;  ///< an advance of `settled` by more than leap_limit
  std::optional<last_fire> last;
  bool operator==(schedule_state const&) const = default;
};
KOPIUR_DESCRIBE(schedule_state, (), (uid, created, timetable, settled, create_settled, suspended, held, leap, last))

/// A slot that is due. The shell resolves the sources, orders their runs, and writes them into state.last.runs.
struct fired {
  instant slot{};                     ///< identity: names of the Backups, run ids, annotation `slot`
  instant scheduled_at{};             ///< when it should begin: slot + jitter
  bool on_create = false;             ///< runOnCreate; the slot is the object's creation
  std::vector<std::string> replaces;  ///< runs to cancel first (concurrencyPolicy Replace)
  bool operator==(fired const&) const = default;
};
KOPIUR_DESCRIBE(fired, (), (slot, scheduled_at, on_create, replaces))

/// Slots that passed while no scheduler ran, or later than the starting deadline.
struct missed {
  std::uint64_t count = 0;
  instant oldest{}, newest{};
  std::vector<instant> slots;  ///< the newest of them, ten at most, in order
  bool too_late = false;       ///< only startingDeadlineSeconds stopped the newest one
  bool operator==(missed const&) const = default;
};
KOPIUR_DESCRIBE(missed, (), (count, oldest, newest, slots, too_late))

/// A slot that Forbid skipped.
struct skipped {
  instant slot{};
  instant blocked_by_slot{};
  std::vector<std::string> blocked_by;  ///< runs that are not terminal
  bool operator==(skipped const&) const = default;
};
KOPIUR_DESCRIBE(skipped, (), (slot, blocked_by_slot, blocked_by))

/// Slots that passed while the schedule was suspended or held: requested or reported, so not missed.
struct passed {
  std::uint64_t count = 0;
  instant until{};          ///< the newest of them
  bool while_held = false;  ///< and not suspended
  bool operator==(passed const&) const = default;
};
KOPIUR_DESCRIBE(passed, (), (count, until, while_held))

/// A slot that a hold blocked. It represents all that follow until the hold ends: then the newest of them fires.
struct held_back {
  instant slot{};
  proto::wait_reason why;  ///< its recipe or repository is suspended, or cannot be used
  bool operator==(held_back const&) const = default;
};
KOPIUR_DESCRIBE(held_back, (), (slot, why))

/// The result of a decision; all empty when there is nothing to report.
struct outcome {
  static constexpr std::string_view type = "schedule.decided.v1", member = "decided";
  std::optional<controller::missed> missed;
  std::optional<controller::passed> passed;
  std::optional<controller::skipped> skipped;
  std::optional<controller::held_back> held_back;
  std::optional<controller::fired> fired;
  bool rewound = false;  ///< the clock had leapt far ahead and is back: the slots between are open again
  bool operator==(outcome const&) const = default;
};
KOPIUR_DESCRIBE(outcome, (), (missed, passed, skipped, held_back, fired, rewound))

/// As a sentence, for the condition BackupSkipped and for Events.
std::string sentence(skipped const&);
std::string sentence(missed const&);
std::string sentence(held_back const&);
std::string sentence(passed const&);

}  // namespace kopiur::controller
