#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proto/kopiur/backup_schedule.hpp"
#include "services/controller/core/asks.hpp"
#include "services/controller/core/objects.hpp"
#include "services/controller/core/slots.hpp"

/// What the scheduler starts by the clock, as a system says it.
namespace kopiur::controller {

struct timed_kind;

/// One thing that the scheduler decides by the clock.
struct timed_object {
  std::string key;  ///< names its fact on the bus: unique in the cluster, and another one for an object that is made again
  proto::object_ref object;
  proto::schedule_rules rules;
  instant created{};
  std::string does;                  ///< what a slot does, for people: "backup", "full maintenance"
  std::string part;                  ///< the status fragment that tells of it; empty: the first
  timed_kind const* kind = nullptr;  ///< nullptr: it has no slots, only what system::due_by_clock says
};

/// What a timed object's status is made from, besides the objects.
struct timed_report {
  schedule_state const& state;
  outcome const& last;
  std::optional<instant> next;
  std::optional<std::string> unresolved;  ///< see timed_kind
  std::optional<std::string> taken;       ///< the same
};

/// How the slots of one kind of timed object become runs. Pure functions.
struct timed_kind {
  /// Why nothing can be decided, as a sentence; nothing: it can. The newest slot fires once it can.
  std::optional<std::string> (*unresolved)(objects const&, timed_object const&);
  /// Why no slot may fire now, though it could be resolved.
  std::optional<proto::wait_reason> (*hold)(objects const&, timed_object const&);
  /// The runs that a slot orders, one for each source. Their ids follow from the object, the slot and the source.
  std::vector<slot_run> (*runs)(objects const&, timed_object const&, instant slot);
  /// The order of one run of a fired slot; nothing once its object is gone. `grouped`: the slot orders several.
  std::optional<proto::run_order> (*order)(objects const&, timed_object const&, instant slot, slot_run const&, bool grouped);
  /// Why the fact under the run's id is that of another object, as a sentence; nothing: it is its own.
  std::optional<std::string> (*taken)(timed_object const&, instant slot, slot_run const&, proto::run_state const& fact);
  /// Is a run of the last slot over? `fact`: of the run; nullptr: the bus has none.
  bool (*is_over)(objects const&, timed_object const&, last_fire const&, slot_run const&, proto::run_state const* fact, instant now);
  /// A run without a fact is not ordered again: it is over, or too old.
  bool (*is_let_be)(objects const&, timed_object const&, last_fire const&, slot_run const&, instant now);
  /// What a lost bus does not take away of the slot that fired last; nothing: nothing is left.
  std::optional<last_fire> (*last_fire_of)(objects const&, timed_object const&);
  /// The object whose run it is, to be cancelled by Replace; nothing: it does not exist.
  std::optional<proto::object_ref> (*object_of)(objects const&, timed_object const&, instant slot, slot_run const&);
  proto::status_fragment (*status)(objects const&, timed_object const&, timed_report const&);
};

/// Runs that an object is due for, besides slots, and when to look again.
struct due_runs {
  std::vector<new_run> due;
  std::optional<instant> next;
};

/// A timed object, by its key, that looks again when another object changes.
struct timed_wake {
  std::string key;
  bool only_if_held = false;  ///< only where a hold stands
};

}  // namespace kopiur::controller
