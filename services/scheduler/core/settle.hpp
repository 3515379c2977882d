#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "proto/events/command.hpp"
#include "services/controller/core/timed.hpp"
#include "services/scheduler/core/plan.hpp"

/// From a timed object and its last fact to all that has to be done about its slots. Pure; the shell only writes and sends.
namespace kopiur::scheduler {

using controller::timed_object;

/// The content of a schedule's subject: the last decision, and the state after it.
struct schedule_fact {
  outcome event;
  schedule_state state;
};
KOPIUR_DESCRIBE(schedule_fact, (), (event, state))

/// A timed object with slots, and what is known about it.
struct slots_view {
  controller::objects const& objects;
  timed_object const& timed;
  schedule_fact const* known;                                          ///< its last fact; nullptr: none
  std::function<proto::run_state const*(std::string const& run)> run;  ///< nullptr: the bus has no fact of that run
  instant now{};
  std::optional<proto::wait_reason> holds{};  ///< what holds all slots back, whatever the object
};

struct settlement {
  schedule_fact fact;                  ///< that holds now
  bool changed = false;                ///< the fact is new: it is written before anything else is done
  schedule_state before;               ///< the state before, whose runs a new slot may replace
  std::optional<std::string> problem;  ///< why nothing can be decided, as a sentence
  std::optional<instant> next_slot;
  std::optional<instant> wait_until;  ///< when to settle again
};

/// Decides the slots. Which runs are over is derived from their facts, so a change of that alone is not a new fact.
settlement settle(slots_view const& view);

/// The runs of the last fired slot that have to be ordered: the bus has no fact of them, and they are not let be. A replica may have died
/// after it wrote the slot's fact.
std::vector<controller::new_run> runs_to_order(slots_view const& view, schedule_state const& state);

/// A command that cancels a run (concurrencyPolicy Replace), and its deterministic name.
struct cancel_run {
  proto::patch_metadata command;
  std::string key;
};
/// Cancels the runs that the fired slot replaces, by an annotation on their objects.
std::vector<cancel_run> replaced_runs(slots_view const& view, settlement const& next);

/// Why a run of the last slot belongs to another object, as a sentence; empty: none does.
std::optional<std::string> taken_run(slots_view const& view, schedule_state const& state);

}  // namespace kopiur::scheduler
