#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/mover-orchestration/core/plans/plans.hpp"

/// restore: one snapshot into one claim. decisions.md section 6.
namespace kopiur::orchestration {

using namespace proto;

namespace {

run_failure fail(failure_class why, std::string message) { return {.class_ = why, .message = std::move(message)}; }
wait because(std::string reason, std::string message) { return {.why = {std::move(reason), std::move(message)}}; }

restore const* object_of(world const& all, run_state const& run) {
  auto* found = mirror::find(all.objects.restores, run.order.object.namespace_, run.order.object.name);
  return found && found->metadata.uid == run.order.object.uid ? found : nullptr;
}

/// What a Restore comes to: whose snapshot, or that there is none.
struct choice {
  mirror::repository_sight repository;
  identity source;
  std::string snapshot;    ///< empty: none
  std::string backup_name; ///< where it is one of ours
};
using choosing = std::variant<choice, wait, refused>;

bool saved(backup const& object) {
  bool complete = object.status.phase == backup_phase::Succeeded || object.status.phase == backup_phase::Discovered;
  return complete && object.status.snapshot && !object.metadata.deletion_timestamp;
}

instant ended(backup const& object) { return object.status.timing && object.status.timing->end_time ? *object.status.timing->end_time : instant{}; }

/// The newest of these that is not after `as_of`, then `offset` further back.
backup const* pick(std::vector<backup const*> among, std::optional<instant> as_of, int offset) {
  std::erase_if(among, [&](auto* one) { return as_of && ended(*one) > *as_of; });
  std::ranges::sort(among, std::ranges::greater{}, [](auto* one) { return ended(*one); });
  return offset >= 0 && offset < std::ssize(among) ? among[static_cast<std::size_t>(offset)] : nullptr;
}

std::variant<mirror::repository_sight, wait, refused> usable(world const& all, repository_ref const& ref, std::string const& ns) {
  auto repository = mirror::find_repository(all.objects, ref, ns);
  if (!repository) return because("RepositoryMissing", "Waiting for " + std::string(json::to_text(ref.kind)) + " " + ref.name + ".");
  if (auto no = not_allowed(all, *repository, ns)) return refused{fail(failure_class::AccessDenied, *no)};
  if (auto why = not_usable(*repository)) return wait{.why = *why};
  return *repository;
}

choosing from_backup(world const& all, restore const& object, backup_ref_source const& from) {
  auto& ns = object.metadata.namespace_;
  auto* one = mirror::find(all.objects.backups, ns, from.name);
  if (!one) return because("BackupMissing", "Waiting for Backup " + ns + "/" + from.name + ".");
  bool over = one->status.phase == backup_phase::Failed;
  if (!saved(*one)) {
    if (over) return refused{fail(failure_class::SnapshotMissing, "Backup " + from.name + " failed and has no complete snapshot; choose another.")};
    return because("BackupNotDone", "Waiting until Backup " + from.name + " has its snapshot.");
  }
  if (!one->status.resolved || !one->status.resolved->repository) return refused{fail(failure_class::SnapshotMissing, "Backup " + from.name + " does not say which repository it lies in.")};
  auto& in = *one->status.resolved->repository;
  auto repository = usable(all, {.kind = in.kind, .name = in.name, .namespace_ = in.namespace_}, ns);
  if (auto* why = std::get_if<wait>(&repository)) return *why;
  if (auto* no = std::get_if<refused>(&repository)) return *no;
  return choice{std::get<mirror::repository_sight>(repository), one->status.snapshot->identity, one->status.snapshot->kopia_snapshot_ID, from.name};
}

choosing choose_among(mirror::repository_sight repository, identity who, std::vector<backup const*> among, std::optional<instant> as_of, int offset) {
  auto* one = pick(std::move(among), as_of, offset);
  if (!one) return choice{repository, std::move(who), {}, {}};
  return choice{repository, one->status.snapshot->identity, one->status.snapshot->kopia_snapshot_ID, one->metadata.name};
}

choosing from_config(world const& all, restore const& object, from_config_source const& from) {
  auto& ns = object.metadata.namespace_;
  auto* config = mirror::find(all.objects.configs, ns, from.name);
  if (!config) return because("ConfigMissing", "Waiting for BackupConfig " + ns + "/" + from.name + ".");
  auto found = usable(all, config->spec.repository, ns);
  if (auto* why = std::get_if<wait>(&found)) return *why;
  if (auto* no = std::get_if<refused>(&found)) return *no;
  auto& repository = std::get<mirror::repository_sight>(found);
  if (!repository.status->catalog || !repository.status->catalog->last_refresh_at)
    return because("CatalogNotRead", "Waiting until the repository's snapshots have been listed once: what has not been read is never \"no snapshot\".");
  auto path = from.source_path;
  if (!path) {
    auto sources = mirror::sources_of(all.objects, *config);
    if (sources.size() > 1) {
      std::string names;
      for (auto& each : sources) names += (names.empty() ? "" : ", ") + each.path;
      return refused{fail(failure_class::InvalidWork, "BackupConfig " + from.name + " has several sources (" + names + "); say which one in spec.source.fromConfig.sourcePath.")};
    }
    if (sources.empty()) return because("NoSources", "No claim matches the sources of BackupConfig " + from.name + " yet; say the path in spec.source.fromConfig.sourcePath.");
    path = sources.front().path;
  }
  auto who = identity_of(*config, repository, *path);
  std::vector<backup const*> among;
  for (auto& [_, one] : all.objects.backups)
    if (saved(one) && one.status.snapshot->identity == who) among.push_back(&one);
  return choose_among(repository, who, std::move(among), from.as_of, from.offset);
}

choosing from_identity(world const& all, restore const& object, identity_source const& from) {
  auto& ns = object.metadata.namespace_;
  if (!object.spec.repository) return refused{fail(failure_class::InvalidWork, "spec.source.identity needs spec.repository.")};
  auto found = usable(all, *object.spec.repository, ns);
  if (auto* why = std::get_if<wait>(&found)) return *why;
  if (auto* no = std::get_if<refused>(&found)) return *no;
  auto& repository = std::get<mirror::repository_sight>(found);
  if (repository.cluster && !repository.cluster->allow_foreign_identities && from.hostname != ns)
    return refused{fail(failure_class::AccessDenied, "ClusterRepository " + repository.meta->name + " lets namespace " + ns +
                                                         " restore its own identities only; its owner may set spec.allowForeignIdentities.")};
  identity who{from.username, from.hostname, from.source_path};
  if (from.snapshot_ID) return choice{repository, who, *from.snapshot_ID, {}};
  std::vector<backup const*> among;
  for (auto& [_, one] : all.objects.backups)
    if (saved(one) && one.status.snapshot->identity == who) among.push_back(&one);
  return choose_among(repository, who, std::move(among), from.as_of, from.offset.value_or(0));
}

choosing choose(world const& all, restore const& object) {
  struct pick_mode {
    world const& all;
    restore const& object;
    choosing operator()(backup_ref_source const& from) const { return from_backup(all, object, from); }
    choosing operator()(from_config_source const& from) const { return from_config(all, object, from); }
    choosing operator()(identity_source const& from) const { return from_identity(all, object, from); }
  };
  return std::visit(pick_mode{all, object}, object.spec.source);
}

/// The claim to be filled. A new one is made by command, and is ours to write into again; an existing one is written once.
struct claim_now {
  std::string name;
  bool ours = false;
};
std::variant<claim_now, wait> target_claim(world const& all, restore const& object) {
  auto& ns = object.metadata.namespace_;
  if (auto* there = std::get_if<existing_claim>(&*object.spec.target)) {
    auto* claim = mirror::find(all.objects.claims, ns, there->name);
    if (!claim) return because("ClaimMissing", "Waiting for PersistentVolumeClaim " + ns + "/" + there->name + ".");
    if (claim->status.phase != "Bound") return because("ClaimNotBound", "Waiting until PersistentVolumeClaim " + there->name + " is Bound.");
    return claim_now{there->name, false};
  }
  auto& made = std::get<new_claim>(*object.spec.target);
  auto* claim = mirror::find(all.objects.claims, ns, made.name);
  if (claim && mirror::lookup(claim->metadata.annotations, annotation::restored_by) == object.metadata.uid) {
    if (claim->status.phase != "Bound") return because("ClaimNotBound", "Waiting until the new PersistentVolumeClaim " + made.name + " is Bound.");
    return claim_now{made.name, true};
  }
  if (claim) return claim_now{made.name, false};
  persistent_volume_claim fresh{.api_version = "v1", .kind = "PersistentVolumeClaim"};
  fresh.metadata.name = made.name, fresh.metadata.namespace_ = ns;
  fresh.metadata.annotations[std::string(annotation::restored_by)] = object.metadata.uid;
  fresh.spec.access_modes = made.access_modes;
  fresh.spec.storage_class_name = made.storage_class_name;
  if (made.capacity) fresh.spec.resources.requests["storage"] = *made.capacity;
  auto why = because("CreatingClaim", "Making PersistentVolumeClaim " + made.name + ".");
  why.look_again = all.now + duration(15'000);
  why.asks.push_back({gateway_command{create_object{json::encode(fresh)}}, object.metadata.uid + "-claim"});
  return why;
}

/// Waiting ends: counted from when the repository was usable and the claim there, else from the Restore's own deadline.
std::optional<refused> too_long(world const& all, restore const& object) {
  auto deadline = *object.metadata.creation_timestamp + std::chrono::seconds(object.spec.failure_policy.active_deadline_seconds);
  if (all.now < deadline) return {};
  return refused{fail(failure_class::DeadlineExceeded, "What the Restore waits for did not come before spec.failurePolicy.activeDeadlineSeconds were over.")};
}

preparation missing_snapshot(world const& all, restore const& object, choice const& it, run_state const& run) {
  auto who = it.source.username + "@" + it.source.hostname + ":" + it.source.source_path;
  if (object.spec.policy.on_missing_snapshot == on_missing_snapshot::Continue)
    return nothing_to_do{"The repository was read and holds no snapshot of " + who + "; the volume stays empty, as onMissingSnapshot: Continue says."};
  auto since = run.waits && run.waits->reason == "NoSnapshot" ? run.changed_at : all.now;
  auto until = since + object.spec.policy.wait_timeout;
  if (all.now >= until) return refused{fail(failure_class::SnapshotMissing, "There is no snapshot of " + who + " in the repository, and none came within " + to_text(object.spec.policy.wait_timeout) + ".")};
  return wait{.why = {"NoSnapshot", "The repository holds no snapshot of " + who + "; waiting for one for " + to_text(object.spec.policy.wait_timeout) + " (spec.policy.waitTimeout)."}, .look_again = until};
}

restore_resolved pinned(world const& all, choice const& it) {
  auto ref = it.repository.ref();
  restore_resolved to{.resolution = it.snapshot.empty() ? restore_resolution::NoSnapshot : restore_resolution::Snapshot,
                      .repository = resolved_repository{.kind = it.repository.kind, .name = ref.name, .unique_ID = it.repository.status->unique_ID},
                      .identity = it.source,
                      .pinned_at = all.now};
  if (!ref.namespace_.empty()) to.repository->namespace_ = ref.namespace_;
  if (!it.backup_name.empty()) to.backup_ref = it.backup_name;
  if (!it.snapshot.empty()) to.snapshot_ID = it.snapshot;
  return to;
}

preparation plan_for(world const& all, restore const& object, choice const& it, claim_now const& claim) {
  auto way = way_to(it.repository, object.metadata.namespace_);
  if (auto missing = missing_secret(all, way); !missing.empty()) return because("SecretMissing", "Waiting for Secret " + missing + ", which the repository names.");
  auto unique = *it.repository.status->unique_ID;
  run_plan plan;
  plan.class_ = claim.ours ? plan_class::Repeatable : plan_class::AtMostOnce;
  plan.attempts = object.spec.failure_policy.backoff_limit + 1;
  plan.deadline = std::chrono::seconds(object.spec.failure_policy.active_deadline_seconds);
  plan.priority = lease_priority::Restore;
  plan.leases = {{repository_key(unique), lease_mode::Shared}, {"snapshot/" + unique + "/" + it.snapshot, lease_mode::Shared}};
  plan.serves = {{"Restore", object.metadata.namespace_, object.metadata.name, object.metadata.uid}};
  plan.namespace_ = object.metadata.namespace_;
  way.access.read_only = true;
  plan.work.repository = std::move(way.access);
  plan.work.task = restore_work{.snapshot_ID = it.snapshot, .source = it.source, .target = "{{target}}", .options = object.spec.options};
  plan.secrets = std::move(way.secrets), plan.volumes = std::move(way.volumes);
  plan.volumes.push_back({.name = "target", .claim_namespace = object.metadata.namespace_, .claim_name = claim.name, .host_path = {}, .read_only = false});
  plan.resolved = json::encode(pinned(all, it));
  return ready{std::move(plan)};
}

preparation prepare(world const& all, run_state const& run) {
  auto* object = object_of(all, run);
  if (!object) return refused{fail(failure_class::InvalidWork, "Restore " + run.order.object.name + " is no longer there.")};
  if (auto no = too_long(all, *object)) return *no;
  auto claim = target_claim(all, *object);
  if (auto* why = std::get_if<wait>(&claim)) return *why;
  auto chosen = choose(all, *object);
  if (auto* why = std::get_if<wait>(&chosen)) return *why;
  if (auto* no = std::get_if<refused>(&chosen)) return *no;
  auto& it = std::get<choice>(chosen);
  if (it.snapshot.empty()) return missing_snapshot(all, *object, it, run);
  return plan_for(all, *object, it, std::get<claim_now>(claim));
}

/// Into an existing claim: the commitment stands in the object before the mover is asked for, so that no loss of the bus makes it twice.
bool receipt(world const& all, run_state const& run) {
  auto* object = object_of(all, run);
  if (!object || !object->status.execution) return false;
  return object->status.execution->run_ID == run.run && object->status.execution->stage >= execution_stage::Committed && object->status.execution->attempt == run.attempt;
}

std::optional<execution_stage> stage_of(run_stage stage) {
  switch (stage) {
    case run_stage::Due: return {};
    case run_stage::Prepared: return execution_stage::Prepared;
    case run_stage::Committed: return execution_stage::Committed;
    case run_stage::Created: return execution_stage::Created;
    case run_stage::TerminalObserved: return execution_stage::TerminalObserved;
    case run_stage::FollowThroughComplete: return execution_stage::FollowThroughComplete;
  }
  __builtin_unreachable();
}

restore_phase phase_of(run_state const& run) {
  bool over = run.stage == run_stage::TerminalObserved || run.stage == run_stage::FollowThroughComplete;
  if (over) return run.outcome == run_outcome::Succeeded ? restore_phase::Completed : restore_phase::Failed;
  if (run.stage == run_stage::Created) return restore_phase::Restoring;
  return run.plan ? restore_phase::Resolving : restore_phase::Pending;
}

condition_claim ready_condition(run_state const& run, restore_phase phase) {
  if (phase == restore_phase::Completed)
    return condition(condition_type::ready, true, run.plan ? "Restored" : "NoSnapshot",
                     run.plan ? "The volume holds the snapshot's files." : "The repository was read and holds no snapshot; the volume stays empty.");
  if (phase == restore_phase::Failed) {
    bool unknown = run.outcome == run_outcome::Unknown;
    auto reason = unknown ? std::string("Unknown") : std::string(run.failure ? json::to_text(run.failure->class_) : "Failed");
    auto message = run.failure ? run.failure->message : std::string("The restore failed and did not say why.");
    if (unknown) message += " It is not known how far it wrote; it is not tried again by itself. Look at the volume, then create a new Restore.";
    return condition(condition_type::ready, false, reason, message);
  }
  if (run.waits) return condition(condition_type::ready, false, run.waits->reason, run.waits->message);
  return condition(condition_type::ready, false, std::string(json::to_text(phase)), phase == restore_phase::Restoring ? "The mover writes the files." : "The restore is being prepared.");
}

std::vector<object_claim> report(world const& all, run_state const& run) {
  auto* object = object_of(all, run);
  if (!object) return {};
  auto phase = phase_of(run);
  restore_status to{.phase = phase};
  if (run.plan)
    if (auto pin = json::decode<restore_resolved>(run.plan->resolved)) to.resolved = *pin;
  if (auto stage = stage_of(run.stage); stage && run.plan)
    to.execution = execution_receipt{.run_ID = run.run, .stage = *stage, .attempt = run.attempt, .job_name = run.run + "-" + std::to_string(run.attempt)};
  if (run.started_at) to.timing = run_timing{.start_time = run.started_at};
  bool over = phase == restore_phase::Completed || phase == restore_phase::Failed;
  if (over && to.timing) {
    to.timing->end_time = run.finished_at.value_or(run.changed_at);
    to.timing->duration_seconds = std::chrono::duration_cast<std::chrono::seconds>(*to.timing->end_time - *to.timing->start_time).count();
  }
  if (over && run.result) to.progress = restore_progress{.bytes_restored = run.result->restored_bytes, .files_restored = run.result->restored_files, .percent = 100};
  if (phase == restore_phase::Failed) to.failure = run.failure;
  if (over && !run.log_tail.empty()) to.log_tail = run.log_tail;
  std::vector<condition_claim> conditions{ready_condition(run, phase)};
  if (over && run.result && run.result->ignored_permission_errors > 0)
    conditions.push_back(condition(condition_type::permission_errors_ignored, true, "Ignored",
                                   std::to_string(run.result->ignored_permission_errors) + " owners or modes could not be set (options.ignorePermissionErrors)."));
  return {claim_for(run.order.object, object->metadata.generation, json::encode(to), std::move(conditions))};
}

}  // namespace

upkeep tend_restore(world const& all, restore const& object) {
  upkeep needs;
  bool over = object.status.phase == restore_phase::Completed || object.status.phase == restore_phase::Failed;
  if (over || object.metadata.deletion_timestamp || !object.spec.target) return needs;
  auto id = "restore-" + hash::digest_hex({"restore", object.metadata.uid}, 16);
  if (!all.run(id)) needs.orders.push_back({id, {.plan = "restore", .object = {"Restore", object.metadata.namespace_, object.metadata.name, object.metadata.uid}}});
  return needs;
}

recipe const restore_recipe{.name = "restore", .prepare = prepare, .receipt = receipt, .report = report};

}  // namespace kopiur::orchestration
