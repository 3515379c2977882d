#pragma once
#include <functional>

#include "services/controller/core/condition.hpp"
#include "services/controller/core/jobs.hpp"
#include "services/controller/core/plan_kind.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/marks.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"
#include "services/systems/kopiur/rules/sources.hpp"
#include "services/systems/kopiur/rules/usable.hpp"

/// Kopiur's plans, one file each; the engine knows none of them.
namespace kopiur::plans {

// The words of plans and decisions.
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

/// How a mover reaches a repository: access, the Secrets' keys, the volume of a filesystem backend; and what its pod is like.
struct repository_connection {
  proto::repository_access access;
  std::vector<proto::secret_use> secrets;
  std::vector<proto::volume_use> volumes;
  json::value pod;  ///< `mover_options`; null where nobody says anything
};
/// `recipe`: what it says of its movers; the repository's `cacheDefaults` stand where it says nothing.
repository_connection connection_to(rules::any_repository const& repository, std::string_view mover_namespace,
                                    std::optional<proto::mover_options> recipe = {});
/// All but the access, which is the work's.
void add_connection(proto::run_plan& plan, repository_connection way);
/// What of a backend cannot be had without pods, as a sentence; nothing: it can.
std::optional<std::string> needs_pods(proto::backend const& where);
/// `location/<hash of backend, endpoint, bucket or host, prefix or path>`: the key while it is not known which repository lies there.
std::string location_key(rules::any_repository const& repository);
std::string repository_key(std::string const& unique_ID);
/// `snapshot/<unique id of the repository>/<id>`: restores share it, a deletion excludes them.
std::string snapshot_key(std::string const& unique_ID, std::string const& id);
/// `claim/<cluster>/<namespace>/<name>`: a restore into a claim excludes all else of ours that reads or writes it.
std::string claim_key(cluster_view const& all, std::string const& ns, std::string const& name);
/// Nothing, or the wait for a Secret that the repository's password or backend needs and the mirror lacks.
std::optional<wait> waits_for_secret(cluster_view const& all, repository_connection const& way);

/// A status share made from a run; `made_from` is set by the shell.
object_status claim_for(proto::object_ref object, std::int64_t generation, json::value status,
                        std::vector<proto::condition_fragment> conditions);
using controller::condition;
using rules::identity_of;
using rules::not_usable;

/// Deleting a config or schedule whose policy is Delete: the finalizer first, then its Backups, then the finalizer goes. `told` is the
/// share of status that says how far it is.
struct cascade {
  proto::object_ref of;
  proto::object_meta const& meta;
  bool takes_backups = false;  ///< `onConfigDelete` or `onScheduleDelete` is Delete
  std::vector<proto::backup const*> backups;
};
actions reconcile_cascade(cluster_view const& all, cascade const& of);

/// The runs that were ordered one after the other for the same thing, because one was not enough.
struct tries {
  int count = 0;
  proto::run_state const* last = nullptr;
};
/// `id_of`: of the n-th, from 0.
tries tries_of(cluster_view const& all, std::function<std::string(int n)> const& id_of);

/// That what is asked for cannot be done as it is written.
inline proto::run_failure invalid(std::string message) {
  return {.class_ = proto::failure_class::InvalidWork, .message = std::move(message)};
}

/// What an object states in seconds; nothing: it does not.
inline std::optional<duration> stated_seconds(std::optional<std::int64_t> stated) {
  return stated ? std::optional<duration>(std::chrono::seconds(*stated)) : std::nullopt;
}

/// A list that a Restore waits for: it comes before backups.
inline constexpr std::string_view list_for = "for", for_restore = "restore";

extern plan_kind const connect_plan, discover_plan, backup_plan, occasion_plan, unquiesce_plan, delete_plan, restore_plan, maintain_plan;

actions reconcile_repository(cluster_view const& all, rules::any_repository const& repository);
actions reconcile_backup(cluster_view const& all, proto::backup const& backup);
actions reconcile_restore(cluster_view const& all, proto::restore const& restore);
actions reconcile_config(cluster_view const& all, proto::backup_config const& config);
actions reconcile_schedule(cluster_view const& all, proto::backup_schedule const& schedule);
actions reconcile_maintenance(cluster_view const& all, proto::maintenance const& object);
/// The sources that a manual Backup without `sourcePath` stands for: of its config, and of the siblings that it has. Empty unless there are
/// several, or siblings.
std::vector<std::string> group_sources(cluster_view const& all, proto::backup const& object);
/// The Backups that one of this name may have been made for, as of several sources.
std::vector<proto::backup const*> parents_by_name(controller::objects const& all, std::string const& ns, std::string_view sibling);
actions reconcile_group(cluster_view const& all, proto::backup const& parent, std::vector<std::string> const& paths);

/// Whether the claims of a config's Backups are captured together: what it says, else what is usual here where snapshots are taken.
proto::group_by grouping_of(cluster_view const& all, proto::backup_config const& config);
/// How a config's sources are copied: what it says, else what is usual here.
proto::copy_method copying_of(cluster_view const& all, proto::backup_config const& config);
/// Until when the application of a source that is copied so has to rest.
proto::rest_until rests_until(proto::copy_method method);
bool has_hooks(proto::backup_config const& config);
/// The config that the run was ordered for; nullptr: it does not exist.
proto::backup_config const* ordered_config(cluster_view const& all, proto::run_state const& run);
/// The runs whose hooks may have brought the application of this config to rest.
std::vector<proto::run_state const*> sharing_hooks(cluster_view const& all, proto::backup_config const& config);
/// The same, of a run that was ordered for the config.
std::vector<proto::run_state const*> sharing_ordered_hooks(cluster_view const& all, proto::run_state const& run);
/// `application/<cluster>/<namespace>/<config>`: who brings an application to rest excludes all others, or one would let go what another
/// one still reads.
std::string application_key(cluster_view const& all, proto::backup_config const& config);
/// The config's hooks, how long the application may rest for them, and the lease for that. Refused where they need a cluster outside one.
std::optional<refused> add_hooks(cluster_view const& all, proto::backup_config const& config, proto::copy_method method,
                                 proto::run_state const& run, proto::run_plan& plan);

/// What Backups of several sources have in common that are made at one time: the run that brings their application to rest, or has them
/// captured together.
struct occasion {
  std::string id;
  proto::run_order order;
};
/// That of the Backup; nothing: it stands alone, or its config has neither hooks nor takes its claims together.
std::optional<occasion> occasion_of(cluster_view const& all, proto::backup const& object, proto::backup_config const& config);
/// The wait for that run to be ordered, with the order; nothing: it is.
std::optional<wait> before_it_has_begun(cluster_view const& all, occasion const& of);
/// The occasion of this id goes on without the run: it came too late, or the application was let go before it had what it needs.
std::optional<cancellation> left_behind(cluster_view const& all, proto::run_state const& run, std::optional<std::string> const& occasion);

/// The run that lets go the application of the Backup, which may rest: the bus has lost the run that would do so, or this one is made again
/// and has no plan yet. Nothing: it does not, or that run is ordered.
std::optional<new_run> unquiesce_for(cluster_view const& all, proto::backup const& object);

/// What the Backup reads together with others of its group; nothing: its claim by itself.
std::optional<proto::capture> capture_of(cluster_view const& all, proto::backup const& object, proto::backup_config const& config);
/// The Backup comes too late to be of the same instant as those of its group that have read `together` already.
std::optional<refused> missed(cluster_view const& all, proto::backup const& object, proto::capture const& together);
/// A capture of the claim stands, or may.
bool is_captured(proto::persistent_volume_claim const& claim);
/// Takes away those captures of claims of the namespace that no Backup is going to read any more.
actions reconcile_captures(cluster_view const& all, std::string const& ns);
/// The Backups of the group, by name.
std::vector<proto::backup const*> backups_of_group(cluster_view const& all, std::string const& ns, std::string_view group);
/// `GroupSnapshotSupported`: nobody can be asked whether a driver can, so it says what came of it.
proto::condition_fragment group_snapshots(cluster_view const& all, proto::backup_config const& config);

/// The Event about a snapshot that a Backup leaves behind (spec/kopiur.md, Backup).
inline constexpr std::string_view snapshot_orphaned = "SnapshotOrphaned";
/// What a backup run means for the status of its Backup.
std::vector<object_status> report_backup(cluster_view const& all, proto::backup const& object, proto::run_state const& run);
/// The id of the run that a Backup stands for: that which its label names, where it is proven that it was ordered for this Backup; else its
/// own. A label alone may be anybody's, and run ids are one space for a cluster.
std::string backup_run_id(cluster_view const& all, proto::backup const& object);
/// That run, as long as it is not over; nullptr.
proto::run_state const* open_run_of(cluster_view const& all, proto::backup const& object);
/// A Backup that is to be taken.
actions reconcile_live_backup(cluster_view const& all, proto::backup const& object);
/// A Warning about something that ended at `since`: once, for the answer to it is kept longer than it is asked for. Nothing: it has been
/// asked for, or it is too late.
std::optional<ask> warn_once(cluster_view const& all, proto::object_ref const& object, std::string key, std::string reason,
                             std::string message, instant since);
/// One that shrank: an Event tells of it, and once that is accepted it Succeeded, though the bus has forgotten its run.
actions reconcile_held(cluster_view const& all, proto::backup const& object);
/// Names that kopia cannot keep were left out of it: an Event, where none was asked for yet.
std::optional<ask> warn_of_names(cluster_view const& all, proto::backup const& object);
/// What deleting a Backup means for its snapshot: spec, else what was pinned; a discovered one is always kept.
proto::deletion_policy effective_policy(proto::backup const& object);
/// Was the Backup deleted because its namespace `ns` goes (nullptr: nothing is known of it), and does its snapshot stay therefore? With
/// `onNamespaceDelete: Retain` it does: nobody asked for that deletion. With a Repository it always does, for no mover starts in a
/// namespace that goes, and the Secret goes with it; so it does where the repository (nullptr) is gone. decisions.md section 5.
bool stays_with_namespace(proto::core_namespace const* ns, proto::backup const& object, rules::any_repository const* repository);
/// The Backups of one repository whose deletion waits for `G/allow-mass-deletion`, by uid (decisions.md section 5, Protection).
std::vector<std::string> held_by_protection(cluster_view const& all, rules::any_repository const& repository);

}  // namespace kopiur::plans
