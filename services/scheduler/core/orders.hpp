#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proto/events/run.hpp"
#include "proto/events/status.hpp"
#include "services/scheduler/core/state.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// What the slots of the three kinds of clockwork order: Backups of a BackupSchedule, quick and full runs of a Maintenance, lists of a
/// repository. Pure.
namespace kopiur::scheduler {

/// One thing that runs by the clock. Its key names its fact: the schedule's uid, or `<maintenance uid>-quick` and `-full`.
struct line {
  std::string key;
  proto::object_ref object;
  proto::schedule_rules rules;
  instant created{};
  std::optional<bool> full;       ///< Maintenance
  bool manifest_missing = false;  ///< it stands as suspended, for its file is gone
};
/// All lines of the cluster that are not being deleted.
std::vector<line> lines_of(controller::objects const& all);
/// The lines of one object.
std::vector<line> lines_of(controller::objects const& all, proto::object_ref const& object);

/// What stands in the way of deciding; nothing, or the sentence for ConfigResolvable.
std::optional<std::string> unresolved(controller::objects const& all, line const& of);
/// Why no slot may make Backups now, though it could be resolved: its recipe or repository is suspended or cannot be used.
std::optional<proto::wait_reason> hold_of(controller::objects const& all, line const& of);
/// The sources for which a slot orders a run; one empty source for a Maintenance.
std::vector<std::string> sources_for(controller::objects const& all, line const& of);
/// The order of one run of a fired slot; nothing once its schedule is gone: what it has not ordered by then, nobody waits for.
std::optional<proto::run_order> order_of(controller::objects const& all, line const& of, instant slot, slot_run const& run, bool grouped);

/// A run that is to be, by its id.
struct due_run {
  std::string id;
  proto::run_order order;
};
/// The lists that a repository is due for: one after each connection, then one every `catalog.refreshInterval`.
struct list_ticks {
  std::vector<due_run> due;
  std::optional<instant> next;
};
list_ticks lists_of(rules::any_repository const& repository, std::vector<proto::run_state const*> const& connects, instant now);

/// Why the run of a slot is not its own, as a sentence: the fact under its id is of another object. Nothing where it is its own.
std::optional<std::string> taken(line const& of, instant slot, slot_run const& run, proto::run_state const& fact);

/// Status of a BackupSchedule, or the `next` part of a Maintenance's. `problem`: as unresolved() says; `theirs`: as taken() says.
proto::status_fragment status_of(controller::objects const& all, line const& of, schedule_state const& state, outcome const& last,
                                 std::optional<instant> next, std::optional<std::string> const& problem,
                                 std::optional<std::string> const& theirs = {});

/// The schedules, by uid, whose history a Backup is part of. Of one that is gone only the name is left: those that it may have been of.
std::vector<std::string> schedules_with(controller::objects const& all, proto::object_ref const& backup);
/// The schedules, by uid, whose recipes name this Repository or ClusterRepository, be it that it is gone.
std::vector<std::string> schedules_at(controller::objects const& all, proto::object_ref const& repository);
/// What a lost bus does not take away of the slot that fired last: when it was, by the schedule's status and its Backups, and those of them
/// that have not ended. What has ended is not listed: its Backup may be deleted, and would be ordered anew.
std::optional<last_fire> last_fire_of(controller::objects const& all, line const& of);
/// Is a run of the last slot over? By its fact, else by the Backup that it made, else by the status (the bus may have been lost).
bool is_over(controller::objects const& all, line const& of, last_fire const& last, slot_run const& run, proto::run_state const* fact,
             instant now);

}  // namespace kopiur::scheduler
