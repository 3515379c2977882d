#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "proto/events/lease.hpp"
#include "proto/events/snapshot_list.hpp"
#include "proto/events/status.hpp"
#include "services/controller/core/objects.hpp"
#include "services/mover-orchestration/core/engine.hpp"

/// What recipes read and write. Everything here is pure: a recipe looks at one moment of the world and says what it wants.
namespace kopiur::mover_orchestration {

/// What the cluster behind the gateway can do; decides what an absent `copyMethod` and `groupBy` mean (decisions.md section 10).
struct capabilities {
  proto::copy_method copy = proto::copy_method::Direct;
  proto::group_by group = proto::group_by::None;
  duration pod_start = usual_pod_start;  ///< how long a pod may say that it cannot start
  bool pods = false;                     ///< movers are pods, beside those of users: commands run in them, NFS volumes, service accounts
};

/// A snapshot, as a list of the repository has it.
struct listed_snapshot {
  std::string id;
  instant ended{};
  bool partial = false;            ///< files could not be read, and no policy ignores that
  std::optional<std::string> run;  ///< that took it
  std::int64_t files = 0, size_bytes = 0;
  std::optional<proto::baseline> baseline;  ///< what it was compared with
};
/// What the newest list says of one identity.
struct listed_snapshots {
  std::string list;    ///< proto::snapshot_list::list
  bool whole = false;  ///< the list could be read; else nothing is known
  std::vector<listed_snapshot> snapshots;
};

struct world {
  controller::objects const& objects;
  std::function<proto::run_state const*(std::string const& run)> run;  ///< nullptr: never ordered
  /// All runs of a plan, ended ones too, that concern the object of this uid, or the kopia repository of this unique id; by run.
  std::function<std::vector<proto::run_state const*>(std::string const& id, std::string_view plan)> runs_of;
  std::function<proto::answer const*(std::string_view verb, std::string_view key)> answer;  ///< of the gateway, nullptr: none yet
  /// The newest complete list of the repository object of this uid; nullptr: none yet.
  std::function<proto::snapshot_list const*(std::string const& uid)> list;
  std::function<listed_snapshots const*(list_query const&)> listed;        ///< nullptr: not read yet, which is to be asked for
  std::function<proto::lease_state const*(std::string const& key)> lease;  ///< as maintenance-lease wrote it last; nullptr: never
  std::string cluster;
  capabilities can;
  instant now{};
};

/// A share of an object's status.
struct object_claim {
  proto::object_ref object;
  proto::status_fragment claim;
};

/// What an object needs now, besides the runs that it has.
struct upkeep {
  std::vector<new_run> orders;
  std::vector<ask> asks;
  std::vector<object_claim> claims;
  std::optional<instant> wake;
};

/// Adds what else it needs.
void add(upkeep& to, upkeep more);

/// One kind of plan.
struct recipe {
  std::string_view name;
  preparation (*prepare)(world const&, proto::run_state const&);
  /// Must the object's status show something before the act, and does it? nullptr: nothing must.
  bool (*receipt)(world const&, proto::run_state const&) = nullptr;
  /// Which attempt the object's status shows as committed, 0: none; nullptr: it shows none ever.
  int (*committed_before)(world const&, proto::run_state const&) = nullptr;
  /// Who wants the run to end, beside the annotation on its object; nullptr: nobody.
  std::optional<cancellation> (*cancel)(world const&, proto::run_state const&) = nullptr;
  /// What the run means for the status of the objects that it serves; nullptr: another service says that.
  std::vector<object_claim> (*report)(world const&, proto::run_state const&) = nullptr;
  /// The config whose hooks it runs, which may not exist any more; nullptr: it runs none.
  proto::backup_config const* (*hooks_of)(world const&, proto::run_state const&) = nullptr;
  /// The runs that look at this one's facts; nullptr: none.
  std::vector<std::string> (*concerns)(world const&, proto::run_state const&) = nullptr;
  /// Those that a run which gathers is for, at this moment; nullptr: it gathers none.
  std::vector<attendant> (*attendants)(world const&, proto::run_state const&) = nullptr;
};

/// The recipe of that name; nullptr when there is none.
recipe const* find_recipe(std::string_view name);
/// All that there are.
std::span<recipe const* const> recipes();
/// All that one object needs now. Level-triggered: called whenever something that it may depend on has changed. Nothing before the gateway
/// has listed the cluster, for what is not yet seen is not gone: of how many sources a Backup is, who else waits, who is still to be asked.
upkeep tend(world const& all, proto::object_ref const& object);
/// All that may need something though nothing of it changes: what is to be looked at from time to time.
std::vector<proto::object_ref> to_sweep(controller::objects const& all);
/// Whom a change concerns besides the object itself: what is reached by a Secret or a repository or made of a claim, the Backup that a
/// sibling was made for, and the deletions that wait for one of those, a Restore or a namespace.
std::vector<proto::object_ref> dependents(controller::objects const& all, proto::object_ref const& changed);
/// Whom it may concern that a Backup is gone, of which only the name is left: what is being deleted with its Backups, the recipes of its
/// namespace, which tell of their last ones, the Backup that it was made for as one of several, and captured claims.
std::vector<proto::object_ref> left_by(controller::objects const& all, proto::object_ref const& gone);
/// The Jobs of that run in the namespace, of all attempts.
std::vector<proto::job const*> jobs_of(controller::objects const& all, std::string const& ns, std::string const& run);
/// What ends, or removes, a Job that no run has any more.
ask stop_left_job(proto::job const& left);
/// What removes Jobs that ended a while ago and that no run is going to look at: the bus has lost their runs, and nobody ordered those
/// again, which the list of the cluster shows. `is_written`: there is something of that run on the bus, be it that we cannot read it.
std::vector<ask> removals_of_left_jobs(world const& all, std::function<bool(std::string const& run)> const& is_written);
/// The object that the run was ordered for: by its uid. Where whoever ordered it could not know that, because the run makes the object: by
/// the run's mark on it, until the plan knows the uid. (A mark can be copied, a uid cannot.)
bool is_object_of(proto::run_state const& run, proto::object_meta const& meta);
/// What the run has to do, by its recipe. Waits while the gateway has not listed the cluster: after the bus has lost everything an object
/// that is not yet seen would be taken for deleted.
preparation prepare_by_recipe(world const& all, proto::run_state const& run);
/// The run that holds the application which this one's hooks would bring to rest; nothing: they may. A lease may run out while the bus is
/// away; what is on record does not.
std::optional<std::string> rests_already(world const& all, proto::run_state const& run);
/// The last ordered run of those that ended and that tell of the object, by kind, namespace and name; nullptr: none, or it is not there.
proto::run_state const* last_ended(world const& all, proto::object_ref const& object);
/// Somebody wants this run to end: `G/cancel-run`, deletion of its object, or what the recipe knows.
std::optional<cancellation> wants_cancel(world const& all, proto::run_state const& run);

}  // namespace kopiur::mover_orchestration
