#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proto/kopiur/backup_schedule.hpp"
#include "services/controller/core/asks.hpp"
#include "services/controller/core/objects.hpp"
#include "services/controller/core/slots.hpp"

/// What the scheduler starts by the clock, as a system defines it.
namespace kopiur::controller {

struct timed_kind;

/// One object, or part of one, that the scheduler decides by the clock.
struct timed_object {
  std::string key;  ///< names its fact on the bus: unique in the cluster; an object created again gets another one
  proto::object_ref object;
  proto::schedule_rules rules;
  instant created{};
  std::string does;                  ///< what a slot does, for messages: "backup", "full maintenance"
  std::string part;                  ///< the status fragment that reports it; empty: the first
  timed_kind const* kind = nullptr;  ///< nullptr: it has no slots, only runs of system::due_by_clock
};

/// The input of a timed object's status, besides the objects.
struct timed_report {
  schedule_state const& state;
  outcome const& last;
  std::optional<instant> next;
  std::optional<std::string> unresolved;  ///< see timed_kind
  std::optional<std::string> taken;       ///< see timed_kind
};

/// How the slots of one kind of timed object become runs. Pure functions.
struct timed_kind {
  /// Why nothing can be decided, as a sentence; empty: it can. The newest slot fires once it can.
  std::optional<std::string> (*unresolved)(objects const&, timed_object const&);
  /// Why no slot may fire now, although it could be resolved.
  std::optional<proto::wait_reason> (*hold)(objects const&, timed_object const&);
  /// The runs that a slot orders, one per source. Their ids are derived from the object, the slot and the source.
  std::vector<slot_run> (*runs)(objects const&, timed_object const&, instant slot);
  /// The order of one run of a fired slot; empty once its object is deleted. `grouped`: the slot orders several.
  std::optional<proto::run_order> (*order)(objects const&, timed_object const&, instant slot, slot_run const&, bool grouped);
  /// Why the fact under the run's id belongs to another object, as a sentence; empty: it belongs to this one.
  std::optional<std::string> (*taken)(timed_object const&, instant slot, slot_run const&, proto::run_state const& fact);
  /// Whether a run of the last slot is over. `fact`: the run's; nullptr: the bus has none.
  bool (*is_over)(objects const&, timed_object const&, last_fire const&, slot_run const&, proto::run_state const* fact, instant now);
  /// Whether a run without a fact must not be ordered again: it is over, or too old.
  bool (*is_let_be)(objects const&, timed_object const&, last_fire const&, slot_run const&, instant now);
  /// The last fired slot as far as it survives a loss of the bus; empty: nothing survives.
  std::optional<last_fire> (*last_fire_of)(objects const&, timed_object const&);
  /// The run's object, which Replace cancels; empty: it does not exist.
  std::optional<proto::object_ref> (*object_of)(objects const&, timed_object const&, instant slot, slot_run const&);
  proto::status_fragment (*status)(objects const&, timed_object const&, timed_report const&);
};

/// Runs that an object is due for, apart from slots, and when to check again.
struct due_runs {
  std::vector<new_run> due;
  std::optional<instant> next;
};

/// A timed object, by its key, to decide again when another object changes.
struct timed_wake {
  std::string key;
  bool only_if_held = false;  ///< only when a hold blocks it
};

}  // namespace kopiur::controller
