#include <algorithm>
#include <set>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/erase.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/restores.hpp"

/// Reconciles a Backup that is being deleted: a run deletes its snapshot together with others, or the snapshot stays. decisions.md section
/// 5.
namespace kopiur::plans {

using namespace proto;

namespace {

constexpr duration gather{10'000};
constexpr std::size_t most = 200;

ask release(backup const& object) {
  return {gateway_command{
              patch_metadata{.object = controller::ref_of(object), .remove_finalizers = {std::string(finalizer::snapshot_cleanup)}}},
          object.metadata.uid + "-release"};
}

ask tell(backup const& object, std::string type, std::string reason, std::string message) {
  return {gateway_command{record_event{controller::ref_of(object), std::move(type), reason, std::move(message)}},
          object.metadata.uid + "-" + reason};
}

/// Releases the Backup; its snapshot stays in the repository.
actions gone_without(backup const& object, std::string type, std::string why) {
  auto message = "The Backup goes without its snapshot " + object.status.snapshot->kopia_snapshot_ID + ", " + std::move(why) + ".";
  actions needs;
  needs.asks = {tell(object, std::move(type), std::string(snapshot_orphaned), std::move(message)), release(object)};
  return needs;
}

object_status deleting(backup const& object, std::string reason, std::string message, bool failed = false) {
  json::value status = json::value::make_object();
  status.set("phase", "Deleting");
  std::vector<condition_fragment> conditions{condition(condition_type::ready, false, reason, message)};
  if (failed) conditions.push_back(condition(condition_type::snapshot_deletion_failed, true, reason, message));
  return claim_for(controller::ref_of(object), object.metadata.generation, std::move(status), std::move(conditions));
}

/// Whether this ended run proves that the snapshot is deleted: its mover listed the repository afterwards.
bool proves_gone(run_state const& run, std::string const& snapshot) {
  auto* result = result_of(run);
  if (run.order.plan != "delete" || !result || !run.plan) return false;
  auto* task = verb_in<delete_work>(*run.plan);
  if (!task || std::ranges::find(task->snapshots, snapshot, &doomed_snapshot::id) == task->snapshots.end()) return false;
  if (run.outcome == run_outcome::Succeeded) return result->remaining_count == 0;
  std::set<std::string_view> ids;
  for (auto& each : task->snapshots) ids.insert(each.id);
  bool listed = result->deleted_count + result->remaining_count == std::ssize(ids);
  bool all_named = result->remaining_count == std::ssize(result->remaining);
  return listed && all_named && std::ranges::find(result->remaining, snapshot) == result->remaining.end();
}

core_namespace const* namespace_of(cluster_view const& all, backup const& object) {
  return controller::find(all.objects.of<core_namespace>(), "", object.metadata.namespace_);
}

/// Refuses the deletion if the repository is no longer the one in the Backup's status: a snapshot of another repository could be taken for
/// it.
std::optional<wait_reason> elsewhere(cluster_view const& all, backup const& object, rules::any_repository const& repository) {
  auto name = repository.ref().kind + " " + repository.meta->name;
  auto how_else =
      ", or annotate the Backup with " + std::string(annotation::skip_snapshot_cleanup) + "=true to let it go without its snapshot.";
  if (auto no = rules::not_allowed(all.objects, repository, object.metadata.namespace_)) {
    no->pop_back();
    return wait_reason{"NotAllowed", *no + how_else};
  }
  auto& recorded = object.status.resolved->repository->unique_ID;
  if (recorded == repository.status->unique_ID) return {};
  return wait_reason{"WrongRepository", "The snapshot lies in the repository " + recorded.value_or("of an unknown uniqueID") + ", and " +
                                            name + " is " + repository.status->unique_ID.value_or("none yet") +
                                            " now: point it back at that one" + how_else};
}

std::optional<rules::any_repository> repository_of(cluster_view const& all, backup const& object) {
  auto& from = object.status.resolved;
  if (!from || !from->repository) return {};
  return rules::find_repository(
      all.objects, {.kind = from->repository->kind, .name = from->repository->name, .namespace_ = from->repository->namespace_},
      object.metadata.namespace_);
}

/// A reader of the snapshot that no Restore of this cluster names: a run of another cluster, or of a Restore that has since chosen another
/// snapshot. It is checked before the run is ordered, because one deletion that waits would block all others of its run.
std::optional<std::string> reader_of(cluster_view const& all, backup const& object, rules::any_repository const& repository) {
  auto* state = all.lease(snapshot_key(repository.status->unique_ID.value_or(""), object.status.snapshot->kopia_snapshot_ID));
  if (!state) return {};
  for (auto& each : state->holders)
    if (each.mode == lease_mode::Shared && all.now < each.until) return each.run + " of cluster " + each.cluster;
  return {};
}

/// Why this deletion must wait; nothing: it need not. A user or the restore ends each of these waits.
std::optional<wait_reason> held(cluster_view const& all, backup const& object, rules::any_repository const& repository,
                                std::vector<std::string> const& protected_uids) {
  if (object.spec.pin) return wait_reason{"Pinned", "The Backup is pinned: set spec.pin to false, then its snapshot is deleted."};
  if (auto name = rules::restore_of(all.objects, object))
    return wait_reason{"InUseByRestore", "Restore " + *name + " uses the snapshot; it is deleted afterwards."};
  if (std::ranges::binary_search(protected_uids, object.metadata.uid))
    return wait_reason{"HeldByDeletionProtection",
                       "More than " + std::to_string(repository.spec->deletion_protection.threshold) + " Backups were deleted within " +
                           to_text(repository.spec->deletion_protection.window) + ". To let them go, annotate " + repository.ref().kind +
                           " " + repository.meta->name + " with " + std::string(annotation::allow_mass_deletion) + "=<RFC 3339 time>."};
  if (auto why = not_usable(all.objects, repository)) return why;
  if (auto why = elsewhere(all, object, repository)) return why;
  if (auto reader = reader_of(all, object, repository))
    return wait_reason{"InUseByRestore", "The run " + *reader + " reads the snapshot; it is deleted afterwards."};
  return {};
}

/// The deletion runs that this Backup has been part of.
struct history {
  run_state const* active = nullptr;
  run_state const* last_failed = nullptr;
  int failures = 0;
  bool gone = false;
};
history history_of(cluster_view const& all, backup const& object) {
  history past;
  for (auto* run : all.runs_of(object.metadata.uid, "delete")) {
    if (run->stage != run_stage::FollowThroughComplete)
      past.active = run;
    else if (proves_gone(*run, object.status.snapshot->kopia_snapshot_ID))
      past.gone = true;
    else if (++past.failures; !past.last_failed || *past.last_failed->finished_at < *run->finished_at)
      past.last_failed = run;
  }
  return past;
}

/// When the deletion is tried again; nothing: now.
std::optional<instant> waits_until(history const& past, instant now) {
  if (!past.last_failed) return {};
  auto again = *past.last_failed->finished_at + controller::backoff(past.failures);
  return controller::backs_off(again, past.failures, now) ? std::optional(again) : std::nullopt;
}

/// All Backups of the repository that can be deleted together with this one.
std::vector<doomed> batch(cluster_view const& all, rules::any_repository const& repository,
                          std::vector<std::string> const& protected_uids) {
  std::vector<doomed> found;
  for (auto& [_, object] : all.objects.of<backup>()) {
    if (!object.metadata.deletion_timestamp || !object.status.snapshot || effective_policy(object) != deletion_policy::Delete) continue;
    auto mine = repository_of(all, object);
    if (!mine || mine->meta->uid != repository.meta->uid || held(all, object, repository, protected_uids)) continue;
    if (stays_with_namespace(namespace_of(all, object), object, &*mine)) continue;
    auto past = history_of(all, object);
    if (past.active || past.gone || waits_until(past, all.now)) continue;
    found.push_back({.uid = object.metadata.uid,
                     .namespace_ = object.metadata.namespace_,
                     .name = object.metadata.name,
                     .snapshot = object.status.snapshot->kopia_snapshot_ID,
                     .asked_at = *object.metadata.deletion_timestamp,
                     .pruned_by = std::string(controller::lookup(object.metadata.annotations, annotation::pruned_by))});
  }
  std::ranges::sort(found, {}, &doomed::asked_at);
  if (found.size() > most) found.resize(most);
  std::ranges::sort(found, {}, &doomed::uid);
  return found;
}

new_run order_deletion(std::vector<doomed> const& items, rules::any_repository const& repository, int round) {
  std::vector<std::string> parts{"delete", std::to_string(round)};
  for (auto& each : items) parts.push_back(each.uid);
  std::vector<std::string_view> views(parts.begin(), parts.end());
  json::value parameters = json::value::make_object();
  parameters.set("items", json::encode(items));
  return {"delete-" + hash::digest_hex(hash::parts(views), 16),
          {.plan = "delete", .object = repository.ref(), .parameters = std::move(parameters)}};
}

/// Policy Delete, with a snapshot: one run for all deletions requested within a few seconds.
actions reconcile_doomed(cluster_view const& all, backup const& object) {
  actions needs;
  auto past = history_of(all, object);
  if (past.gone) {
    needs.asks.push_back(release(object));
    return needs;
  }
  auto repository = repository_of(all, object);
  bool out_of_reach = !repository || elsewhere(all, object, *repository);
  if (!past.active && stays_with_namespace(namespace_of(all, object), object, out_of_reach ? nullptr : &*repository))
    return gone_without(object, "Normal", "for its namespace is being deleted (onNamespaceDelete)");
  if (!repository) {
    needs.statuses.push_back(deleting(object, "RepositoryMissing",
                                      "Its repository does not exist. Create it again, or annotate the Backup with " +
                                          std::string(annotation::skip_snapshot_cleanup) + "=true to let it go without its snapshot."));
    return needs;
  }
  auto protected_uids = held_by_protection(all, *repository);
  if (auto why = held(all, object, *repository, protected_uids)) {
    needs.statuses.push_back(deleting(object, why->reason, why->message));
    return needs;
  }
  constexpr char const* goes_on = "The snapshot is being deleted.";
  if (past.active) {
    auto* why = past.active->failure ? &*past.active->failure : nullptr;
    needs.statuses.push_back(deleting(object, why ? why->class_.json_text() : "DeletingSnapshot",
                                      why ? "Deleting the snapshot failed and is tried again: " + why->message : goes_on, why));
    return needs;
  }
  if (past.last_failed) {
    auto message = past.last_failed->failure ? past.last_failed->failure->message : std::string("the mover did not say why");
    needs.statuses.push_back(
        deleting(object, "SnapshotDeletionFailed", "Deleting the snapshot failed and is tried again: " + message, true));
    if (auto again = waits_until(past, all.now)) {
      needs.wake = again;
      return needs;
    }
  }
  auto items = batch(all, *repository, protected_uids);
  auto first = items.empty() ? all.now : std::ranges::min(items, {}, &doomed::asked_at).asked_at;
  bool gathers = items.empty() || (first + gather > all.now && items.size() < most);
  if (!past.last_failed)
    needs.statuses.push_back(deleting(object, "DeletingSnapshot", gathers ? "The snapshot is about to be deleted." : goes_on));
  if (!gathers)
    needs.orders.push_back(order_deletion(items, *repository, past.failures));
  else if (!items.empty())
    needs.wake = first + gather;
  return needs;
}

actions reconcile_deleted(cluster_view const& all, backup const& object) {
  actions needs;
  if (!controller::has_finalizer(object.metadata, finalizer::snapshot_cleanup)) return needs;
  auto unquiesce = unquiesce_for(all, object);
  if (unquiesce) needs.orders.push_back(*std::move(unquiesce));
  if (unquiesce || has_more_to_tell(all, object)) {
    needs.statuses.push_back(deleting(object, "Cancelling", "Its run is being cancelled; what it made is removed."));
    return needs;
  }
  if (!object.status.snapshot) {
    needs.asks.push_back(release(object));
    return needs;
  }
  if (controller::lookup(object.metadata.annotations, annotation::skip_snapshot_cleanup) == "true")
    return gone_without(object, "Warning", "as its annotation says");
  switch (effective_policy(object)) {
    case deletion_policy::Delete:
      return reconcile_doomed(all, object);
    case deletion_policy::Retain:
      break;
    case deletion_policy::Orphan: {
      needs.asks.push_back(
          tell(object, "Normal", std::string(snapshot_orphaned),
               "The snapshot " + object.status.snapshot->kopia_snapshot_ID + " stays in the repository; it was not checked."));
      if (!object.status.orphaned.value_or(false)) {  // recorded first, then released
        json::value status = json::value::make_object();
        status.set("orphaned", true);
        needs.statuses.push_back(claim_for(controller::ref_of(object), object.metadata.generation, std::move(status), {}));
        return needs;
      }
      break;
    }
  }
  needs.asks.push_back(release(object));
  return needs;
}

}  // namespace

deletion_policy effective_policy(backup const& object) {
  if (object.status.origin == backup_origin::discovered) return deletion_policy::Retain;
  if (object.spec.deletion_policy) return *object.spec.deletion_policy;
  // Without a pin nothing was committed, so it is not known that the snapshot is ours.
  return object.status.resolved && object.status.resolved->deletion_policy ? *object.status.resolved->deletion_policy
                                                                           : deletion_policy::Retain;
}

bool stays_with_namespace(core_namespace const* ns, backup const& object, rules::any_repository const* repository) {
  if (!ns || !ns->metadata.deletion_timestamp) return false;
  if (!repository || repository->kind == repository_kind::Repository) return true;
  bool with_it = *object.metadata.deletion_timestamp >= *ns->metadata.deletion_timestamp;
  return with_it && repository->spec->on_namespace_delete == on_owner_delete::Retain;
}

actions reconcile_backup(cluster_view const& all, backup const& object) {
  return object.metadata.deletion_timestamp ? reconcile_deleted(all, object) : reconcile_live_backup(all, object);
}

}  // namespace kopiur::plans
