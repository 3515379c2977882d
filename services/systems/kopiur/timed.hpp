#pragma once
#include <functional>

#include "services/controller/core/timed.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// What the scheduler starts for Kopiur's objects: slots of BackupSchedules, quick and full runs of Maintenances, lists of repositories.
namespace kopiur::plans {

/// The slots of a BackupSchedule order a Backup for each source.
extern controller::timed_kind const backup_schedule_slots;
/// The slots of a Maintenance, of its part `quick` or `full`.
extern controller::timed_kind const maintenance_slots;

/// What the status of both begins with: whose it is, and by which generation.
proto::status_fragment fragment_of(controller::objects const& all, controller::timed_object const& of);
/// Where the fact under a run's id is not that of `own`: `The run of slot S is taken by KIND NS/NAME`.
std::optional<std::string> taken_from(proto::object_ref const& own, instant slot, proto::run_state const& fact);

/// The timed objects of one object; none once it is gone, or while a schedule or Maintenance is being deleted.
std::vector<controller::timed_object> timed_of(controller::objects const& all, proto::object_ref const& object);
/// All objects that may have any.
std::vector<proto::object_ref> objects_with_clock(controller::objects const& all);
/// Of a repository: one list after each connection, then one every `catalog.refreshInterval`. `runs_of`: as in cluster_view.
controller::due_runs due_by_clock(
    controller::objects const& all, proto::object_ref const& object,
    std::function<std::vector<proto::run_state const*>(std::string const& id, std::string_view plan)> const& runs_of, instant now);
/// The lists that a repository is due for, given the runs that connected it.
controller::due_runs lists_of(rules::any_repository const& repository, std::vector<proto::run_state const*> const& connects, instant now);

/// The timed objects that look again because another object changed.
std::vector<controller::timed_wake> timed_wakes(controller::objects const& all, proto::object_ref const& changed);
/// The schedules, by uid, whose history a Backup is part of. Of one that is gone only the name is left: those that it may have been of.
std::vector<std::string> schedules_with(controller::objects const& all, proto::object_ref const& backup);
/// The schedules, by uid, whose recipes name this Repository or ClusterRepository, be it that it is gone.
std::vector<std::string> schedules_at(controller::objects const& all, proto::object_ref const& repository);

}  // namespace kopiur::plans
