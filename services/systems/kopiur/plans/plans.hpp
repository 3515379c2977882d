#pragma once
#include <functional>

#include "proto/kopiur/longest.hpp"
#include "services/controller/core/condition.hpp"
#include "services/controller/core/jobs.hpp"
#include "services/controller/core/plan_kind.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/buckets.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/marks.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"
#include "services/systems/kopiur/rules/results.hpp"
#include "services/systems/kopiur/rules/sources.hpp"
#include "services/systems/kopiur/rules/usable.hpp"

/// Kopiur's plans, one file each; the engine knows none of them.
namespace kopiur::plans {

// Types of the engine that plans and reconciles use.
using controller::actions;
using controller::add;
using controller::ask;
using controller::attendant;
using controller::cancellation;
using controller::capabilities;
using controller::cluster_view;
using controller::list_query;
using controller::listed_snapshot;
using controller::listed_snapshots;
using controller::new_run;
using controller::nothing_to_do;
using controller::object_status;
using controller::plan_kind;
using controller::plan_part;
using controller::preparation;
using controller::ready;
using controller::refused;
using controller::soonest;
using controller::takes_part;
using controller::wait;

/// How a mover reaches a repository: access data, keys of Secrets, the volume of a filesystem backend, and options of its pod.
struct repository_connection {
  proto::repository_access access;
  std::vector<proto::secret_use> secrets;
  std::vector<proto::volume_use> volumes;
  std::optional<proto::pod_options> pod;  ///< absent: none stated
};
/// `recipe`: the mover options of a config; the repository's `cacheDefaults` fill in what it leaves out. A wait: its bucket or one of its
/// Secrets does not exist yet.
std::expected<repository_connection, wait> connection_to(controller::objects const& all, rules::any_repository const& repository,
                                                         std::string_view mover_namespace, std::optional<proto::mover_options> recipe = {},
                                                         rules::bucket_use use = rules::bucket_use::Keep);
/// The keys of Secrets and ConfigMaps that open the repository, first that of its password. `bucket`: the bucket of its Buckety; nullptr:
/// it has none, or none yet.
std::vector<proto::secret_use> secrets_of(rules::any_repository const& repository, rules::given_bucket const* bucket = nullptr);
/// Adds everything except the access data, which is part of the work.
void add_connection(proto::run_plan& plan, repository_connection way);
/// Which feature of a backend needs pods, as a sentence; nothing: none.
std::optional<std::string> needs_pods(proto::backend const& where);
/// `location/<hash of backend, endpoint, bucket or host, prefix or path>`: the lease key until the repository's id is known.
/// `home`: the repository's (home_of).
std::string location_key(proto::backend const& where, std::string const& home);
/// One of the places of movers in a kopia repository.
proto::lease_need repository_slot(cluster_view const& all, std::string const& unique_ID);
/// The key, shared with any number of runs.
proto::lease_need shared_by_any(std::string key);
/// `snapshot/<unique id of the repository>/<id>`: restores share it; a deletion takes it exclusively.
std::string snapshot_key(std::string const& unique_ID, std::string const& id);
/// `claim/<cluster>/<namespace>/<name>`: a restore into a claim excludes all other runs of kopiur that read or write it.
std::string claim_key(cluster_view const& all, std::string const& ns, std::string const& name);
/// A wait for a Secret of the repository's password or backend that the informer cache does not have; nothing: all exist.
std::optional<wait> waits_for_secret(controller::objects const& all, std::vector<proto::secret_use> const& secrets);

/// A status fragment derived from a run; the shell sets `made_from`.
object_status claim_for(proto::object_ref object, std::int64_t generation, json::value status,
                        std::vector<proto::condition_fragment> conditions);
using controller::condition;
using rules::identity_of;
using rules::not_usable;
using rules::result_of;

/// Deletion of a config or schedule with policy Delete: add the finalizer, delete its Backups, remove the finalizer. Meanwhile a status
/// fragment reports the progress.
struct cascade {
  proto::object_ref object;
  proto::object_meta const& meta;
  bool takes_backups = false;  ///< `onConfigDelete` or `onScheduleDelete` is Delete
  std::vector<proto::backup const*> backups;
};
actions reconcile_cascade(cluster_view const& all, cascade const& cascade);

/// Runs that were ordered one after the other for the same purpose, because one did not suffice.
struct tries {
  int count = 0;
  proto::run_state const* last = nullptr;
};
/// `id_of`: id of the n-th run, from 0.
tries tries_of(cluster_view const& all, std::function<std::string(int n)> const& id_of);

/// The failure for a request that cannot be carried out as written.
inline proto::run_failure invalid(std::string message) {
  return {.class_ = proto::failure_class::InvalidWork, .message = std::move(message)};
}

/// A duration stated in seconds, at most the bound; nothing: not stated.
inline std::optional<duration> stated_seconds(duration bound, std::optional<std::int64_t> stated) {
  return stated ? std::optional<duration>(proto::longest::within(bound, *stated)) : std::nullopt;
}

/// Parameter of a list that a Restore waits for: it has priority over backups.
inline constexpr std::string_view list_for = "for", for_restore = "restore";

/// States in the command what the gateway has to know of its kopia task: about the pod, its account, its cache and its volumes.
void state_needs(proto::create_job& command);
/// Completes the command of the Job of a run of kopia.
void complete_kopia_job(proto::run_state const& run, proto::create_job& command);
/// Whether kopia's result may be that of the run's current task.
bool is_kopia_answer(proto::run_state const& run, proto::job_result const& result);

extern plan_kind const connect_plan, discover_plan, backup_plan, occasion_plan, unquiesce_plan, delete_plan, restore_plan, maintain_plan;

actions reconcile_repository(cluster_view const& all, rules::any_repository const& repository);
actions reconcile_backup(cluster_view const& all, proto::backup const& backup);
actions reconcile_restore(cluster_view const& all, proto::restore const& restore);
actions reconcile_config(cluster_view const& all, proto::backup_config const& config);
actions reconcile_schedule(cluster_view const& all, proto::backup_schedule const& schedule);
actions reconcile_maintenance(cluster_view const& all, proto::maintenance const& object);
/// The sources of a manual Backup without `sourcePath`: those of its config and of its siblings. Empty unless there are several, or
/// siblings.
std::vector<std::string> group_sources(cluster_view const& all, proto::backup const& object);
/// Manual Backups of several sources for which a Backup of this name may have been created.
std::vector<proto::backup const*> parents_by_name(controller::objects const& all, std::string const& ns, std::string_view sibling);
actions reconcile_group(cluster_view const& all, proto::backup const& parent, std::vector<std::string> const& paths);

/// Whether the claims of a config's Backups are captured together: the config's value, else the adapter's default if snapshots are taken.
proto::group_by grouping_of(cluster_view const& all, proto::backup_config const& config);
/// How a config's sources are copied: the config's value, else the adapter's default.
proto::copy_method copying_of(cluster_view const& all, proto::backup_config const& config);
/// How long the application must stay quiesced with this copy method.
proto::rest_until rests_until(proto::copy_method method);
bool has_hooks(proto::backup_config const& config);
/// The config that the run was ordered for; nullptr: it does not exist.
proto::backup_config const* ordered_config(cluster_view const& all, proto::run_state const& run);
/// The runs whose hooks may have quiesced the application of this config.
std::vector<proto::run_state const*> sharing_hooks(cluster_view const& all, proto::backup_config const& config);
/// The same, for a run that was ordered for the config.
std::vector<proto::run_state const*> sharing_ordered_hooks(cluster_view const& all, proto::run_state const& run);
/// `application/<cluster>/<namespace>/<config>`: exclusive for the run that quiesces the application; otherwise one run would release what
/// another still reads.
std::string application_key(cluster_view const& all, proto::backup_config const& config);
/// Adds the config's hooks, the limit of the quiesce and its lease. Refused outside a cluster if a hook needs one.
std::optional<refused> add_hooks(cluster_view const& all, proto::backup_config const& config, proto::copy_method method,
                                 proto::run_state const& run, proto::run_plan& plan);

/// The run that several Backups of different sources share when they are made at the same time: it quiesces their application, or has them
/// captured together.
struct occasion {
  std::string id;
  proto::run_order order;
};
/// The Backup's occasion; nothing: it belongs to no group, or its config has neither hooks nor a common capture.
std::optional<occasion> occasion_of(cluster_view const& all, proto::backup const& object, proto::backup_config const& config);
/// A wait that orders this run; nothing: it is ordered.
std::optional<wait> before_it_has_begun(cluster_view const& all, occasion const& occasion);
/// The cancellation of a member that its occasion continues without: it came too late, or the application was released before it had its
/// copy.
std::optional<cancellation> left_behind(cluster_view const& all, proto::run_state const& run, std::optional<std::string> const& occasion);

/// The run that releases the Backup's application, which may still be quiesced: the bus has lost the run that would do so, or that run was
/// recreated and has no plan yet. Nothing: not quiesced, or that run is ordered.
std::optional<new_run> unquiesce_for(cluster_view const& all, proto::backup const& object);

/// The capture that the Backup shares with others of its group; nothing: its claim is captured alone.
std::optional<proto::capture> capture_of(cluster_view const& all, proto::backup const& object, proto::backup_config const& config);
/// The Backup comes too late: others of its group have already read `together`, so it could not be of the same instant.
std::optional<refused> missed(cluster_view const& all, proto::backup const& object, proto::capture const& together);
/// A capture of the claim exists, or may exist.
bool is_captured(proto::persistent_volume_claim const& claim);
/// Deletes the captures of claims of the namespace that no Backup will read any more.
actions reconcile_captures(cluster_view const& all, std::string const& ns);
/// The Backups of the group, sorted by name.
std::vector<proto::backup const*> backups_of_group(cluster_view const& all, std::string const& ns, std::string_view group);
/// `GroupSnapshotSupported`: drivers cannot be queried, so the condition reports the result of past Backups.
proto::condition_fragment group_snapshots(cluster_view const& all, proto::backup_config const& config);

/// The Event about a snapshot that a Backup leaves behind (spec/kopiur.md, Backup).
inline constexpr std::string_view snapshot_orphaned = "SnapshotOrphaned";
/// The status of a Backup, derived from its run.
std::vector<object_status> report_backup(cluster_view const& all, proto::backup const& object, proto::run_state const& run);
/// The id of a Backup's run: the one in its label if it is proven that this run was ordered for this Backup, else the id derived from the
/// Backup. A label alone is not trusted, because any user may write it and run ids are unique per cluster, not per namespace.
std::string backup_run_id(cluster_view const& all, proto::backup const& object);
/// That run until it is complete; nullptr.
proto::run_state const* open_run_of(cluster_view const& all, proto::backup const& object);
/// Its run is not complete, or saved a snapshot that its status does not show yet. If the Backup were released now, that snapshot would
/// have no owner.
bool has_more_to_tell(cluster_view const& all, proto::backup const& object);
/// Reconciles a Backup that is not being deleted.
actions reconcile_live_backup(cluster_view const& all, proto::backup const& object);
/// A Warning Event about something that ended at `since`, sent once: its answer is kept for longer than this function asks for it. Nothing:
/// it was sent, or it is too late.
std::optional<ask> warn_once(cluster_view const& all, proto::object_ref const& object, std::string key, std::string reason,
                             std::string message, instant since);
/// A Backup that shrank: records an Event. Once the user accepts, its phase becomes Succeeded, even if the bus has lost its run.
actions reconcile_held(cluster_view const& all, proto::backup const& object);
/// An Event about entries left out because of their names, if none was recorded yet.
std::optional<ask> warn_of_names(cluster_view const& all, proto::backup const& object);
/// What deletion of a Backup means for its snapshot: spec, else the pinned policy. The snapshot of a discovered Backup is always kept.
proto::deletion_policy effective_policy(proto::backup const& object);
/// Whether the snapshot stays because its Backup is deleted together with its namespace `ns` (nullptr: unknown). With `onNamespaceDelete:
/// Retain` it stays, because no user requested that deletion. With a Repository it always stays: no mover can start in a namespace that is
/// being deleted, and the Secret is deleted too. It also stays if the repository does not exist (nullptr). decisions.md section 5.
bool stays_with_namespace(proto::core_namespace const* ns, proto::backup const& object, rules::any_repository const* repository);
/// The Backups of one repository whose deletion waits for `G/allow-mass-deletion`, by uid, sorted (decisions.md section 5, Protection).
std::vector<std::string> held_by_protection(cluster_view const& all, rules::any_repository const& repository);

}  // namespace kopiur::plans
