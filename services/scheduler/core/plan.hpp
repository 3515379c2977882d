#pragma once
#include <span>

#include "services/controller/core/slots.hpp"
#include "services/scheduler/core/timetable.hpp"

/// When a schedule fires: a pure function of its rules, its state and now. spec/kopiur.md "BackupSchedule", decisions.md section 8.
namespace kopiur::scheduler {

using controller::clock_leap;
using controller::fired;
using controller::held_back;
using controller::last_fire;
using controller::missed;
using controller::outcome;
using controller::passed;
using controller::schedule_state;
using controller::skipped;
using controller::slot_run;

/// A shorter deadline is raised to this one: otherwise the milliseconds between a slot and our wake-up would already exceed it.
inline constexpr duration least_deadline = std::chrono::seconds(10);
/// A clock that moves ahead by more than this and then back is treated as broken: the slots that it settled are open again.
inline constexpr duration leap_limit = std::chrono::days(7);
/// At most this many missed slots are listed individually.
inline constexpr std::size_t listed_misses = 10;

/// The initial state of a schedule without a stored state: it is new, or the bus was lost. It does not fire on apply. Slots count from its
/// creation, or from the last fired slot that objects still record (last_fire_of). After a loss of the bus, counting from the creation
/// would report all slots since then as missed, fire runOnCreate again, and hide running runs from Forbid. An unknown creation (the epoch)
/// counts as the time of the first decision.
schedule_state begin(std::string uid, instant created, std::optional<last_fire> last = {});

struct decision {
  controller::outcome outcome;
  /// The new state. When it differs, persist it together with the outcome before acting on the outcome. The shell writes a fired slot's
  /// runs into state.last->runs.
  schedule_state state;
  std::optional<instant> next_slot;   ///< the next undecided slot; empty while none can come: suspended, held back
  std::optional<instant> wait_until;  ///< when to decide again: at the slot's beginning, or when the windows open
};

/// Decides what is due.
/// - The newest slot that has begun fires. Older unsettled ones are reported as missed; they do not pile up.
/// - A slot later than startingDeadlineSeconds is missed. Forbid skips a slot while a run of the last one is not terminal; Replace cancels
/// it.
/// - A slot is settled once, whatever the clock does: `settled` only grows, except on the return from a leap (see leap_limit).
/// - During a hold, or while the windows are closed, no slot is settled: the first that would have fired is reported once, and the newest
/// fires afterwards. Under Forbid, a source that waits for something missing does not block the others.
/// - After an edit of cron, zone or windows, slots count from now: an edit fires nothing from the past. A resumed schedule passes over the
/// slots in between.
/// Must not be called while the recipe cannot be resolved: the newest slot then fires once it can.
decision decide(timetable const&, proto::schedule_rules const&, schedule_state, instant now,
                std::optional<proto::wait_reason> const& holds = {});

/// The runs of a slot, given a new run for each of its sources. Under Forbid, a source whose run of an earlier slot still waits keeps that
/// run. `before`: the last fire before this one.
std::vector<slot_run> keep_waiting(std::vector<slot_run> runs, proto::concurrency_policy policy, std::optional<last_fire> const& before);

}  // namespace kopiur::scheduler
