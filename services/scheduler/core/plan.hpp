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

/// A deadline below this one is taken as this: else the milliseconds between a slot and our waking would already be too late.
inline constexpr duration least_deadline = std::chrono::seconds(10);
/// A clock that goes further ahead than this, and then back, is taken for broken: what it settled is opened again.
inline constexpr duration leap_limit = std::chrono::days(7);
/// How many missed slots are listed one by one.
inline constexpr std::size_t listed_misses = 10;

/// The state of a schedule of which nothing is remembered: it is new, or the bus was lost. It does not fire on apply: slots count from its
/// creation on, or from the slot that fired last by what outlives the bus (last_fire_of): else all slots since the creation would be
/// reported as missed, runOnCreate would fire again, and Forbid would not see what still runs. A creation that is not known (the epoch) is
/// the first look.
schedule_state begin(std::string uid, instant created, std::optional<last_fire> last = {});

struct decision {
  controller::outcome outcome;
  /// The state after it; to be persisted when it differs, together with the outcome, before the outcome is acted on. A fired slot's runs
  /// are written into state.last->runs by the shell.
  schedule_state state;
  std::optional<instant> next_slot;   ///< the next undecided slot; nothing while none can come: suspended, held back
  std::optional<instant> wait_until;  ///< when to decide again: its beginning, or when the windows open
};

/// Decides what is due.
/// - The newest slot that has begun fires; older ones that are not settled are reported as missed, none piles up.
/// - A slot later than startingDeadlineSeconds is missed. Forbid skips a slot while a run of the last one is not terminal; Replace cancels
/// it.
/// - Whatever the clock does, a slot is settled once: `settled` only grows, but for the return from a leap (see leap_limit).
/// - While a hold stands, or the windows are closed, no slot is settled: the first that would have fired is told once, and the newest fires
/// when that ends. Forbid does not let a source that still waits for something missing hold up the others.
/// - Another cron or zone starts again from now: an edit fires nothing of the past. A resumed schedule passes over what went by.
/// Not to be called while the recipe cannot be resolved: the newest slot then fires once it can.
decision decide(timetable const&, proto::schedule_rules const&, schedule_state, instant now,
                std::optional<proto::wait_reason> const& holds = {});

/// What a slot orders, given a new run for each of its sources. Under Forbid a source whose run of an earlier slot still waits keeps that
/// one. `before`: what fired before.
std::vector<slot_run> keep_waiting(std::vector<slot_run> runs, proto::concurrency_policy policy, std::optional<last_fire> const& before);

}  // namespace kopiur::scheduler
