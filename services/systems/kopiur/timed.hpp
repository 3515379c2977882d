#pragma once
#include <functional>

#include "services/controller/core/timed.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// What the scheduler starts for Kopiur: slots of BackupSchedules, quick and full runs of Maintenances, lists of repositories.
namespace kopiur::plans {

/// Each slot of a BackupSchedule orders a Backup for each source.
extern controller::timed_kind const backup_schedule_slots;
/// The slots of one part of a Maintenance: `quick` or `full`.
extern controller::timed_kind const maintenance_slots;

/// A status fragment with uid and generation, for both kinds.
proto::status_fragment fragment_of(controller::objects const& all, controller::timed_object const& timed);
/// If the fact under a run's id belongs to another object than `own`: `The run of slot S is taken by KIND NS/NAME`.
std::optional<std::string> taken_from(proto::object_ref const& own, instant slot, proto::run_state const& fact);

/// The timed objects of one object; none if it does not exist, or if it is a schedule or Maintenance that is being deleted.
std::vector<controller::timed_object> timed_of(controller::objects const& all, proto::object_ref const& object);
/// All objects that may have timed objects.
std::vector<proto::object_ref> objects_with_clock(controller::objects const& all);
/// For a repository: one list after each connection, then one every `catalog.refreshInterval`. `runs_of`: as in cluster_view.
controller::due_runs due_by_clock(
    controller::objects const& all, proto::object_ref const& object,
    std::function<std::vector<proto::run_state const*>(std::string const& id, std::string_view plan)> const& runs_of, instant now);
/// The lists that are due for a repository, given the runs that connected it.
controller::due_runs lists_of(rules::any_repository const& repository, std::vector<proto::run_state const*> const& connects, instant now);

/// The timed objects to check again because another object changed.
std::vector<controller::timed_wake> timed_wakes(controller::objects const& all, proto::object_ref const& changed);
/// The schedules, by uid, whose history includes a Backup. If it does not exist any more only its name is known: all schedules that it may
/// belong to.
std::vector<std::string> schedules_with(controller::objects const& all, proto::object_ref const& backup);
/// The schedules, by uid, whose configs name this Repository or ClusterRepository, even if it does not exist any more.
std::vector<std::string> schedules_at(controller::objects const& all, proto::object_ref const& repository);

}  // namespace kopiur::plans
