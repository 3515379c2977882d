#include <algorithm>

#include "common/encoding/join.hpp"
#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/neighbours.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

/// backup: one source, one snapshot. decisions.md sections 3 to 5.
namespace kopiur::plans {

using namespace proto;

namespace {

/// A Backup resolved against its config, repository and source.
struct resolution {
  backup const* object = nullptr;
  backup_config const* config = nullptr;
  rules::any_repository repository;
  rules::source_now source;
  std::optional<capture> together;  ///< if it is captured together with claims of other Backups
};

wait because(std::string reason, std::string message) { return {.why = {std::move(reason), std::move(message)}}; }

backup const* backup_of(cluster_view const& all, run_state const& run) {
  auto* found = controller::find(all.objects.of<backup>(), run.order.object.namespace_, run.order.object.name);
  return found && controller::is_object_of(run, found->metadata) ? found : nullptr;
}

/// The Backup's config; nullptr: the config or the Backup does not exist.
backup_config const* config_of(cluster_view const& all, run_state const& run) {
  auto* object = backup_of(all, run);
  bool names_one = object && object->spec.config_ref;
  return names_one ? controller::find(all.objects.of<backup_config>(), object->metadata.namespace_, object->spec.config_ref->name)
                   : nullptr;
}

/// Location of imported history: a directory of the host, or in a cluster a claim of the namespace.
plan_part<rules::source_now> choose_history(cluster_view const& all, backup const& object) {
  auto& from = object.spec.import_->from;
  if (all.can.pods && from.contains('/'))
    return std::unexpected(
        refused{invalid("spec.import.from is " + from + "; in a cluster it is the name of a PersistentVolumeClaim of the namespace.")});
  return rules::source_now{.claim = all.can.pods ? from : "", .path = object.spec.source_path.value_or("")};
}

plan_part<rules::source_now> choose_source(cluster_view const& all, backup const& object, backup_config const& config) {
  if (object.spec.import_) return choose_history(all, object);
  auto sources = rules::sources_of(all.objects, config);
  if (sources.empty())
    return std::unexpected(because("NoSources", "No claim matches the sources of BackupConfig " + config.metadata.name + " yet."));
  if (!object.spec.source_path) {
    if (sources.size() == 1) return sources.front();
    auto paths = encoding::join(sources, ", ", &rules::source_now::path);
    return std::unexpected(refused{
        invalid("BackupConfig " + config.metadata.name + " has several sources (" + paths + "); say which one in spec.sourcePath.")});
  }
  auto found = std::ranges::find(sources, *object.spec.source_path, &rules::source_now::path);
  if (found == sources.end())
    return std::unexpected(
        refused{{.class_ = kopia_failure::SourceMissing,
                 .message = "BackupConfig " + config.metadata.name + " has no source " + *object.spec.source_path + "."}});
  return *found;
}

std::optional<wait> claim_not_ready(cluster_view const& all, std::string const& ns, std::string const& name) {
  auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), ns, name);
  if (!claim) return because("ClaimMissing", "Waiting for PersistentVolumeClaim " + ns + "/" + name + ".");
  if (claim->status.phase != "Bound")
    return because("ClaimNotBound", "Waiting until PersistentVolumeClaim " + ns + "/" + name + " is Bound.");
  return {};
}

plan_part<resolution> resolve(cluster_view const& all, run_state const& run) {
  resolution found{.object = backup_of(all, run)};
  if (!found.object) return std::unexpected(refused{invalid("Backup " + run.order.object.name + " no longer exists.")});
  auto& ns = found.object->metadata.namespace_;
  if (!found.object->spec.config_ref)
    return std::unexpected(refused{invalid("A Backup without spec.configRef is a row of the catalog, and runs nothing.")});
  auto& config_name = found.object->spec.config_ref->name;
  found.config = controller::find(all.objects.of<backup_config>(), ns, config_name);
  if (!found.config) return std::unexpected(because("ConfigMissing", "Waiting for BackupConfig " + ns + "/" + config_name + "."));
  if (auto why = not_usable(*found.config)) return std::unexpected(wait{.why = *why});
  auto repository = rules::find_repository(all.objects, found.config->spec.repository, ns);
  if (!repository)
    return std::unexpected(because("RepositoryMissing", "Waiting for " + std::string(json::to_text(found.config->spec.repository.kind)) +
                                                            " " + found.config->spec.repository.name + "."));
  found.repository = *repository;
  if (auto other = rules::collision(all.objects, *found.config, *repository, rules::against::older))
    return std::unexpected(refused{invalid(*other)});
  if (auto refusal = rules::not_allowed(all.objects, *repository, ns))
    return std::unexpected(refused{{.class_ = kopia_failure::AccessDenied, .message = *refusal}});
  if (auto foreign = rules::foreign_identity(*found.config, *repository))
    return std::unexpected(refused{{.class_ = kopia_failure::AccessDenied, .message = *foreign}});
  if (auto why = not_usable(all.objects, *repository, rules::bucket_use::Fill)) return std::unexpected(wait{.why = *why});
  auto source = choose_source(all, *found.object, *found.config);
  if (!source) return std::unexpected(source.error());
  found.source = *source;
  if (!found.source.claim.empty())
    if (auto why = claim_not_ready(all, ns, found.source.claim)) return std::unexpected(*why);
  found.together = capture_of(all, *found.object, *found.config);
  return found;
}

/// Imported history does not change while it is read, so it is read without a copy.
copy_method copy_of(cluster_view const& all, resolution const& it) {
  return it.object->spec.import_ ? copy_method::Direct : copying_of(all, *it.config);
}

std::optional<refused> cannot_capture(cluster_view const& all, resolution const& it) {
  auto method = std::string(json::to_text(copy_of(all, it)));
  if (copy_of(all, it) != copy_method::Direct && !all.can.pods)
    return refused{invalid("copyMethod " + method + " needs a CSI driver; outside a cluster only Direct is possible.")};
  if (it.object->spec.import_ || grouping_of(all, *it.config) == group_by::None) return {};
  if (!all.can.pods)
    return refused{invalid("groupBy VolumeGroupSnapshot needs a CSI driver that can do it; state None to take each claim by itself.")};
  if (copy_of(all, it) != copy_method::Snapshot)
    return refused{invalid("groupBy VolumeGroupSnapshot takes claims together by snapshots of them, and copyMethod is " + method +
                           ": state copyMethod Snapshot, or groupBy None.")};
  return {};
}

/// The class that the config names for the source's own snapshot. A capture of a group has a class of another kind.
std::optional<std::string> snapshot_class_of(cluster_view const& all, resolution const& it) {
  bool by_itself = copy_of(all, it) == copy_method::Snapshot && !it.together;
  return by_itself ? it.config->spec.volume_snapshot_class_name : std::nullopt;
}

/// Only what is proven delays a Backup: while the gateway does not know the kind, the copy itself reports what is missing.
std::optional<wait> snapshots_not_ready(cluster_view const& all, resolution const& it) {
  if (copy_of(all, it) != copy_method::Snapshot) return {};
  auto& config = it.config->metadata.name;
  if (all.objects.presence_of<volume_snapshot_class>() == kind_presence::NotInstalled)
    return because(
        "SnapshotsNotInstalled",
        "copyMethod Snapshot needs the API of volume snapshots, and this cluster does not serve it (" +
            std::string(volume_snapshot_class::info.api_version) +
            "): install the snapshot-controller of the CSI project with its CRDs, or state copyMethod Clone or Direct in BackupConfig " +
            config + ".");
  auto name = snapshot_class_of(all, it);
  if (!name) return {};
  auto named = controller::find_foreign<volume_snapshot_class>(all.objects, "", *name);
  if (!named || *named) return {};
  return because("SnapshotClassMissing", "VolumeSnapshotClass " + *name + " does not exist, and BackupConfig " + config +
                                             " names it in spec.volumeSnapshotClassName: create it, or name one of `kubectl get "
                                             "volumesnapshotclasses`.");
}

snapshot_policy policy_of(backup_policy const& from) {
  snapshot_policy policy;
  if (from.compression) policy.compressor = from.compression->compressor, policy.never_compress = from.compression->never_compress;
  policy.splitter = from.splitter;
  policy.ignore_paths = from.ignore.paths, policy.ignore_cache_dirs = from.ignore.cache_dirs;
  policy.ignore_file_errors = from.ignore.file_errors, policy.ignore_dir_errors = from.ignore.dir_errors;
  policy.ignore_identical_snapshots = from.ignore.ignore_identical_snapshots;
  policy.extra_args = from.extra_args;
  return policy;
}

deletion_policy deletion_of(resolution const& it) {
  if (it.object->spec.deletion_policy) return *it.object->spec.deletion_policy;
  return it.config->spec.default_deletion_policy.value_or(deletion_policy::Delete);
}

backup_resolved resolved_of(cluster_view const& all, resolution const& it, identity const& who) {
  auto ref = it.repository.ref();
  backup_resolved resolved{
      .deletion_policy = deletion_of(it),
      .repository = resolved_repository{.kind = it.repository.kind, .name = ref.name, .unique_ID = it.repository.status->unique_ID},
      .identity = who,
      .config = resolved_config{it.config->metadata.name, it.config->metadata.uid, it.config->metadata.generation}};
  if (!ref.namespace_.empty()) resolved.repository->namespace_ = ref.namespace_;
  if (!it.source.claim.empty()) resolved.pvc_name = it.source.claim;
  resolved.copy_method = copy_of(all, it);
  resolved.group_by = grouping_of(all, *it.config);
  resolved.volume_snapshot_class_name = snapshot_class_of(all, it);
  resolved.policy = it.config->spec.policy;
  return resolved;
}

/// The data for the shrink check. The mover finds the newest good snapshot; the objects tell it the newest that Succeeded, and which are
/// held.
shrink_watch watch_of(cluster_view const& all, resolution const& it, identity const& who) {
  shrink_watch watch{.percent = it.config->spec.policy.shrink_hold};
  backup const* last = nullptr;
  std::vector<backup const*> held;
  for (auto* one : rules::backups_of(all.objects, it.object->metadata.namespace_, who)) {
    if (!rules::lies_in(*one, *it.repository.status->unique_ID)) continue;
    if (rules::is_held(*one))
      held.push_back(one);
    else if (one->status.phase == backup_phase::Succeeded && (!last || rules::end_of(*last) < rules::end_of(*one)))
      last = one;
  }
  if (last) watch.last_good = last->status.snapshot->kopia_snapshot_ID;
  constexpr std::size_t most = 200;
  std::ranges::sort(held, std::ranges::greater{}, [](auto* one) { return rules::end_of(*one); });
  if (held.size() > most) held.resize(most);
  for (auto* one : held) watch.held.push_back(one->status.snapshot->kopia_snapshot_ID);
  return watch;
}

snapshot_work snapshot_of(cluster_view const& all, resolution const& it, identity const& who, repository_connection& way) {
  snapshot_work task{.path = "{{source}}", .source = who, .tags = it.object->spec.tags, .policy = policy_of(it.config->spec.policy)};
  if (!it.object->spec.import_) task.watch = watch_of(all, it, who);
  volume_use source{.name = std::string(copied_volume),
                    .claim_namespace = it.object->metadata.namespace_,
                    .claim_name = it.source.claim,
                    .host_path = {}};
  if (auto& import = it.object->spec.import_) {
    task.start_time = task.end_time = import->at;
    if (it.source.claim.empty()) source.claim_namespace.clear(), source.host_path = import->from;
  } else if (auto method = copy_of(all, it); method != copy_method::Direct) {
    source.copy = volume_copy{
        .clone = method == copy_method::Clone, .snapshot_class = it.config->spec.volume_snapshot_class_name, .together = it.together};
  }
  way.volumes.push_back(std::move(source));
  return task;
}

/// Imported history belongs to the config's only source, so that it is in one set with that source's snapshots.
plan_part<std::string> path_of(cluster_view const& all, resolution const& it) {
  if (!it.source.path.empty()) return it.source.path;
  auto sources = rules::sources_of(all.objects, *it.config);
  if (sources.size() == 1) return sources.front().path;
  return std::unexpected(
      refused{invalid("Say in spec.sourcePath which source of BackupConfig " + it.config->metadata.name + " this history belongs to.")});
}

std::vector<lease_need> leases_of(cluster_view const& all, resolution const& it) {
  std::vector<lease_need> needs{repository_slot(all, *it.repository.status->unique_ID)};
  bool reads_live = copy_of(all, it) == copy_method::Direct && !it.source.claim.empty();
  if (reads_live) needs.insert(needs.begin(), shared_by_any(claim_key(all, it.object->metadata.namespace_, it.source.claim)));
  return needs;
}

/// The Backup's value, else its config's.
template <class T>
std::optional<T> stated(backup const& object, backup_config const* config, std::optional<T> backup_failure_policy::* what) {
  auto& own = object.spec.failure_policy.*what;
  return own || !config || !config->spec.failure_policy ? own : (*config->spec.failure_policy).*what;
}

void add_limits(resolution const& it, run_plan& plan) {
  using policy = backup_failure_policy;
  auto said = [&](auto what) { return stated(*it.object, it.config, what); };
  failure_policy const usual;
  plan.attempts = said(&policy::backoff_limit).value_or(usual.backoff_limit) + 1;
  plan.deadline = longest::within(longest::deadline, said(&policy::active_deadline_seconds).value_or(usual.active_deadline_seconds));
  plan.start_within = stated_seconds(longest::pod_start, said(&policy::pod_start_deadline_seconds));
}

preparation plan_of(cluster_view const& all, run_state const& run) {
  auto found = resolve(all, run);
  if (!found) return found.error();
  auto& it = *found;
  if (auto no = cannot_capture(all, it)) return *no;
  if (auto why = snapshots_not_ready(all, it)) return *why;
  if (auto no = it.together ? missed(all, *it.object, *it.together) : std::nullopt) return *no;
  auto way = connection_to(all.objects, it.repository, it.object->metadata.namespace_, it.config->spec.mover, rules::bucket_use::Fill);
  if (!way) return way.error();
  auto path = path_of(all, it);
  if (!path) return path.error();
  auto who = identity_of(*it.config, it.repository, *path);
  run_plan plan;
  if (auto occasion = occasion_of(all, *it.object, *it.config)) {
    if (auto why = before_it_has_begun(all, *occasion)) return *why;
    plan.occasion = occasion->id;
    plan.rests = rests_until(copy_of(all, it));
  } else if (auto no = add_hooks(all, *it.config, copy_of(all, it), run, plan)) {
    return *no;
  }
  kopia_of(plan).task = snapshot_of(all, it, who, *way);
  kopia_of(plan).repository = way->access;
  plan.undo_task = json::encode(verb(sweep_work{.run = run.run}));
  add_limits(it, plan);
  plan.priority = rules::is_scheduled(*it.object) ? lease_priority::Scheduled : lease_priority::Manual;
  std::ranges::move(leases_of(all, it), std::back_inserter(plan.leases));
  plan.serves = {controller::ref_of(*it.object)};
  plan.namespace_ = it.object->metadata.namespace_;
  add_connection(plan, std::move(*way));
  plan.resolved = json::share(json::encode(resolved_of(all, it, who)));
  return ready{std::move(plan)};
}

/// How long the Backup may wait for a missing precondition.
duration patience(cluster_view const& all, run_state const& run) {
  constexpr std::int64_t usual = 900;
  auto* object = backup_of(all, run);
  if (!object) return std::chrono::seconds(usual);
  auto* config = config_of(all, run);
  auto seconds = stated(*object, config, &backup_failure_policy::precondition_deadline_seconds).value_or(usual);
  return longest::within(longest::precondition, seconds);
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto said = plan_of(all, run);
  if (auto* why = std::get_if<wait>(&said); why && !rules::is_suspension(why->why)) why->at_most = patience(all, run);
  return said;
}

/// The object has the finalizer and the deletion policy before anything is done for it (decisions.md section 5).
bool receipt(cluster_view const& all, run_state const& run) {
  auto* object = backup_of(all, run);
  if (!object || !object->status.resolved || !object->status.resolved->deletion_policy) return false;
  return controller::has_finalizer(object->metadata, finalizer::snapshot_cleanup);
}

bool was_ordered_for(run_state const& run, backup const& object) {
  auto& ref = run.order.object;
  bool named = ref.kind == backup::info.kind && ref.namespace_ == object.metadata.namespace_ && ref.name == object.metadata.name;
  return named && controller::is_object_of(run, object.metadata);
}

/// Adds the finalizer and the labels in one write. If the API server's policy added the finalizer already, labels are written only when the
/// mover runs or the Backup has ended: no Job waits for them, and concurrent writes to one object conflict and must be repeated.
std::optional<ask> mark(cluster_view const& all, backup const& object) {
  patch_metadata patch{.object = controller::ref_of(object)};
  bool held = controller::has_finalizer(object.metadata, finalizer::snapshot_cleanup);
  if (!held) patch.add_finalizers = {std::string(finalizer::snapshot_cleanup)};
  for (auto& [name, text] : rules::labels_of(all.objects, object))
    if (controller::lookup(object.metadata.labels, name) != text) patch.labels[name] = text;
  bool at_first = !object.status.phase || *object.status.phase == backup_phase::Pending;
  if (held && (patch.labels.empty() || at_first)) return {};
  return ask{gateway_command{std::move(patch)}, object.metadata.uid + "-finalizer"};
}

}  // namespace

std::string backup_run_id(cluster_view const& all, backup const& object) {
  std::string ordered(controller::lookup(object.metadata.labels, label::run));
  auto* fact = ordered.empty() ? nullptr : all.run(ordered);
  bool own = fact ? was_ordered_for(*fact, object) : rules::proves_its_run(all.objects, object);
  return own ? ordered : rules::own_run(object);
}

run_state const* open_run_of(cluster_view const& all, backup const& object) {
  auto* own = all.run(backup_run_id(all, object));
  return own && own->stage != run_stage::FollowThroughComplete ? own : nullptr;
}

bool has_more_to_tell(cluster_view const& all, backup const& object) {
  if (open_run_of(all, object)) return true;
  auto* own = object.status.snapshot ? nullptr : all.run(backup_run_id(all, object));
  return own && result_of(*own) && result_of(*own)->snapshot;
}

namespace {

/// A Backup that has ended: adds missing labels. If it is held, records an Event, and releases it once the user accepts. A Backup of
/// several sources is held while one of its siblings is.
actions reconcile_over(cluster_view const& all, backup const& object) {
  actions needs;
  bool of_several = object.status.phase == backup_phase::Held && !object.status.shrunk;
  if (of_several)
    if (auto sources = group_sources(all, object); !sources.empty()) return reconcile_group(all, object, sources);
  bool holds = controller::has_finalizer(object.metadata, finalizer::snapshot_cleanup);
  if (auto missing = holds ? mark(all, object) : std::nullopt) needs.asks.push_back(std::move(*missing));
  if (auto event = warn_of_names(all, object)) needs.asks.push_back(*std::move(event));
  if (object.status.phase == backup_phase::Held && !of_several) add(needs, reconcile_held(all, object));
  return needs;
}

}  // namespace

actions reconcile_live_backup(cluster_view const& all, backup const& object) {
  if (!object.spec.config_ref) return {};
  bool over = object.status.phase && *object.status.phase != backup_phase::Pending && *object.status.phase != backup_phase::Running;
  if (over && object.status.phase != backup_phase::Deleting) return reconcile_over(all, object);
  actions needs;
  auto id = backup_run_id(all, object);
  auto* own = all.run(id);
  if (auto sources = group_sources(all, object); !sources.empty() && !(own && own->plan)) return reconcile_group(all, object, sources);
  if (auto missing = mark(all, object)) needs.asks.push_back(std::move(*missing));
  if (auto first = unquiesce_for(all, object)) needs.orders.push_back(*std::move(first));
  if (!own) needs.orders.push_back({id, {.plan = "backup", .object = controller::ref_of(object)}});
  return needs;
}

namespace {
/// The occasion that it takes part in; before it has a plan, the one that it would take part in.
std::optional<std::string> occasion_id_of(cluster_view const& all, run_state const& run) {
  if (run.plan) return run.plan->occasion;
  auto* config = config_of(all, run);
  auto occasion = config ? occasion_of(all, *backup_of(all, run), *config) : std::nullopt;
  return occasion ? std::optional(std::move(occasion->id)) : std::nullopt;
}

/// It was ordered before its config was seen, and the config has several sources, which are separate Backups.
bool yields(cluster_view const& all, backup const& object, run_state const& run) {
  return !run.plan && !group_sources(all, object).empty();
}

/// The bus has lost the run that the status reports, and this one was ordered by a replica that had not seen that status yet.
bool is_of_another_life(backup const& object, run_state const& run) {
  auto& told = object.status;
  if (!rules::has_ended(told.phase)) return false;
  if (!is_terminal(run.stage)) return true;
  if (rules::is_whole(told.phase)) return !result_of(run);
  return run.failure && !(told.failure && told.failure->message == run.failure->message);
}

std::optional<cancellation> cancel(cluster_view const& all, run_state const& run) {
  auto* object = is_terminal(run.stage) ? nullptr : backup_of(all, run);
  if (object && is_of_another_life(*object, run)) return cancellation{"Backup " + object->metadata.name + " has ended already"};
  if (object && run.stage == run_stage::Due && yields(all, *object, run)) return cancellation{"it stands for several sources"};
  return left_behind(all, run, occasion_id_of(all, run));
}

std::vector<std::string> concerns(cluster_view const& all, run_state const& run) {
  auto occasion = occasion_id_of(all, run);
  return occasion ? std::vector{*occasion} : std::vector<std::string>{};
}

/// The first report is the receipt, for which the Job waits, or the reason why there is none yet.
std::vector<object_status> report(cluster_view const& all, run_state const& run) {
  auto* object = backup_of(all, run);
  bool just_begun = run.stage == run_stage::Due && !run.waits && !run.cancelled;
  if (!object || just_begun || yields(all, *object, run) || is_of_another_life(*object, run)) return {};
  return report_backup(all, *object, run);
}
std::vector<run_state const*> sharing(cluster_view const& all, run_state const& run) {
  auto* config = config_of(all, run);
  return config ? sharing_hooks(all, *config) : std::vector<run_state const*>{};
}

}  // namespace

plan_kind const backup_plan{.name = "backup",
                            .prepare = prepare,
                            .complete_job = complete_kopia_job,
                            .answers = is_kopia_answer,
                            .receipt = receipt,
                            .cancel = cancel,
                            .report = report,
                            .sharing_hooks = sharing,
                            .concerns = concerns,
                            .ends_with_its_object = true,
                            .concerns_by_status = true};

}  // namespace kopiur::plans
