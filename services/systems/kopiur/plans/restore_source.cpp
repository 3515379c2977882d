#include <algorithm>

#include "common/encoding/join.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/existence.hpp"
#include "services/systems/kopiur/plans/offer.hpp"
#include "services/systems/kopiur/plans/restore.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

/// The snapshot that a Restore restores: of a Backup, of a config's source, or of an identity. decisions.md section 6.
namespace kopiur::plans {

using namespace proto;

namespace {

run_failure fail(failure_name why, std::string message) { return {.class_ = why, .message = std::move(message)}; }
wait because(std::string reason, std::string message) { return {.why = {std::move(reason), std::move(message)}}; }

bool saved(backup const& object) {
  bool complete = rules::is_whole(object.status.phase) || object.status.phase == backup_phase::Discovered;
  return complete && object.status.snapshot && !object.metadata.deletion_timestamp;
}

plan_part<rules::any_repository> usable(cluster_view const& all, repository_ref const& ref, std::string const& ns) {
  auto repository = rules::find_repository(all.objects, ref, ns);
  if (!repository)
    return std::unexpected(because("RepositoryMissing", "Waiting for " + std::string(json::to_text(ref.kind)) + " " + ref.name + "."));
  if (auto no = rules::not_allowed(all.objects, *repository, ns)) return std::unexpected(refused{fail(kopia_failure::AccessDenied, *no)});
  if (auto why = not_usable(all.objects, *repository)) return std::unexpected(wait{.why = *why});
  return *repository;
}

/// The Backup to restore from: the named one, or its sibling with that path if it stands for several sources.
plan_part<backup const*> meant(cluster_view const& all, backup const& named, std::optional<std::string> const& path) {
  std::vector<std::string> paths;
  for (auto& [key, one] : all.objects.of<backup>()) {
    bool sibling = key.namespace_ == named.metadata.namespace_ && one.spec.source_path && rules::group_of(one) == named.metadata.name;
    if (sibling && path == one.spec.source_path) return &one;
    if (sibling) paths.push_back(*one.spec.source_path);
  }
  bool other = path && named.status.snapshot && named.status.snapshot->identity.source_path != *path;
  if (paths.empty() && !other) return &named;
  if (paths.empty()) paths.push_back(named.status.snapshot->identity.source_path);
  return std::unexpected(
      refused{fail(failure_class::InvalidWork, "Backup " + named.metadata.name +
                                                   (path ? " has no source " + *path + "; it has " : " has several sources: ") +
                                                   encoding::join(paths) + ". Say which one in spec.source.backupRef.sourcePath.")});
}

/// A partial snapshot is restored only if the user names it explicitly.
refused incomplete(std::string const& name, std::optional<backup_snapshot> const& part) {
  auto said = "Backup " + name + " failed and has no complete snapshot; choose another.";
  if (part)
    said += " To restore what it could read, name its identity and snapshotID " + part->kopia_snapshot_ID + " in spec.source.identity.";
  return refused{fail(kopia_failure::SnapshotMissing, said)};
}

plan_part<choice> from_backup(cluster_view const& all, restore const& object, backup_ref_source const& from) {
  auto& ns = object.metadata.namespace_;
  auto* named = controller::find(all.objects.of<backup>(), ns, from.name);
  if (!named) return std::unexpected(because("BackupMissing", "Waiting for Backup " + ns + "/" + from.name + "."));
  auto found = meant(all, *named, from.source_path);
  if (!found) return std::unexpected(found.error());
  auto* one = *found;
  if (!saved(*one)) {
    if (one->status.phase == backup_phase::Failed) return std::unexpected(incomplete(from.name, one->status.snapshot));
    return std::unexpected(because("BackupNotDone", "Waiting until Backup " + from.name + " has its snapshot."));
  }
  if (!one->status.resolved || !one->status.resolved->repository)
    return std::unexpected(
        refused{fail(kopia_failure::SnapshotMissing, "Backup " + from.name + " does not say which repository holds it.")});
  auto& in = *one->status.resolved->repository;
  auto repository = usable(all, {.kind = in.kind, .name = in.name, .namespace_ = in.namespace_}, ns);
  if (!repository) return std::unexpected(repository.error());
  if (auto no = rules::foreign_snapshot(*one, *repository)) return std::unexpected(refused{fail(kopia_failure::AccessDenied, *no)});
  return choice{*repository, one->status.snapshot->identity, one->status.snapshot->kopia_snapshot_ID, from.name};
}

struct wish {
  std::optional<instant> as_of;
  int offset = 0;
};

std::string counted(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

/// Why none of the existing snapshots matches, as a sentence.
std::string none_of(offer const& there, identity const& who, wish const& which) {
  auto whose = rules::identity_text(who);
  auto& offered = there.snapshots;
  if (offered.empty() && there.held_back.empty()) return "The repository holds no snapshot of " + whose + ".";
  if (offered.empty())
    return "No snapshot of " + whose + " can be taken: " + encoding::join(few_words(there.held_back)) +
           ". To restore one anyway, name its snapshotID in spec.source.identity.";
  auto begin = "The repository holds " + counted(offered.size(), "complete snapshot") + " of " + whose;
  if (which.as_of && offered.back()->ended > *which.as_of)
    return begin + ", none of them from " + to_text(*which.as_of) + " or before (asOf): the oldest is of " +
           to_text(offered.back()->ended) + ".";
  return begin + (which.as_of ? " in all" : "") + ", too few for offset " + std::to_string(which.offset) + ".";
}

backup const* recorded_as(cluster_view const& all, rules::any_repository const& repository, std::string const& snapshot) {
  for (auto& [_, one] : all.objects.of<backup>())
    if (saved(one) && one.status.snapshot->kopia_snapshot_ID == snapshot && rules::lies_in(one, *repository.status->unique_ID)) return &one;
  return nullptr;
}

plan_part<choice> choose_among(cluster_view const& all, rules::any_repository const& repository, identity who, wish const& which,
                               run_state const& run) {
  auto exist = snapshots_of(all, repository, who, run);
  if (!exist) return std::unexpected(exist.error());
  auto there = on_offer(all, repository, **exist);
  auto& offered = there.snapshots;
  auto begin = std::ranges::find_if(offered, [&](auto* one) { return !which.as_of || one->ended <= *which.as_of; });
  bool enough = which.offset >= 0 && which.offset < offered.end() - begin;
  if (!enough) {
    choice none{.repository = repository, .none = none_of(there, who, which), .held_back = offered.empty() && !there.held_back.empty()};
    none.source = std::move(who);
    return none;
  }
  auto* one = *(begin + which.offset);
  auto* object = recorded_as(all, repository, one->id);
  choice found{repository, std::move(who), one->id, object ? object->metadata.name : ""};
  std::erase_if(there.held_back,
                [&](auto& each) { return each.which->ended <= one->ended || each.which->ended > which.as_of.value_or(instant::max()); });
  found.passed_over = few_words(there.held_back);
  return found;
}

/// The source of a config: by the given path, by the claim to fill, or the only one.
plan_part<std::string> path_in(cluster_view const& all, backup_config const& config, from_config_source const& from,
                               std::string const& claim) {
  if (from.source_path) return *from.source_path;
  auto sources = rules::sources_of(all.objects, config);
  if (from.source_path_from) {
    auto found = std::ranges::find(sources, claim, &rules::source_now::claim);
    if (found != sources.end()) return found->path;
    return std::unexpected(because(
        "NoSource", "BackupConfig " + from.name + " has no source whose claim is called " + claim + " (sourcePathFrom: claimName)."));
  }
  if (sources.size() == 1) return sources.front().path;
  if (sources.empty())
    return std::unexpected(because("NoSources", "No claim matches the sources of BackupConfig " + from.name +
                                                    " yet; say the path in spec.source.fromConfig.sourcePath."));
  std::vector<std::string> names;
  for (auto& each : sources) names.push_back(each.path);
  return std::unexpected(
      refused{fail(failure_class::InvalidWork, "BackupConfig " + from.name + " has several sources (" + encoding::join(names) +
                                                   "); say which one in spec.source.fromConfig.sourcePath.")});
}

plan_part<choice> from_config(cluster_view const& all, restore const& object, from_config_source const& from, run_state const& run,
                              std::string const& claim) {
  auto& ns = object.metadata.namespace_;
  auto* config = controller::find(all.objects.of<backup_config>(), ns, from.name);
  if (!config) return std::unexpected(because("ConfigMissing", "Waiting for BackupConfig " + ns + "/" + from.name + "."));
  auto found = usable(all, config->spec.repository, ns);
  if (!found) return std::unexpected(found.error());
  auto& repository = *found;
  if (auto no = rules::foreign_identity(*config, repository)) return std::unexpected(refused{fail(kopia_failure::AccessDenied, *no)});
  auto path = path_in(all, *config, from, claim);
  if (!path) return std::unexpected(path.error());
  return choose_among(all, repository, identity_of(*config, repository, *path), {from.as_of, from.offset}, run);
}

plan_part<choice> from_identity(cluster_view const& all, restore const& object, identity_source const& from, run_state const& run) {
  auto& ns = object.metadata.namespace_;
  if (!object.spec.repository)
    return std::unexpected(refused{fail(failure_class::InvalidWork, "spec.source.identity needs spec.repository.")});
  auto found = usable(all, *object.spec.repository, ns);
  if (!found) return std::unexpected(found.error());
  auto& repository = *found;
  identity who{from.username, from.hostname, from.source_path};
  if (auto no = rules::foreign_to(ns, who, repository)) return std::unexpected(refused{fail(kopia_failure::AccessDenied, *no)});
  if (from.snapshot_ID) return choice{repository, who, *from.snapshot_ID, {}};
  return choose_among(all, repository, std::move(who), {from.as_of, from.offset.value_or(0)}, run);
}

}  // namespace

namespace {

/// The config in the Restore's namespace that backed up the snapshot, by the identity that kopia recorded, whatever the Restore refers to.
/// nullptr: none.
backup_config const* recipe_of(cluster_view const& all, restore const& object, choice const& it) {
  auto* from = std::get_if<from_config_source>(&object.spec.source);
  auto& ns = object.metadata.namespace_;
  if (from) return controller::find(all.objects.of<backup_config>(), ns, from->name);
  for (auto& [key, config] : all.objects.of<backup_config>()) {
    if (key.namespace_ != ns) continue;
    auto in = rules::find_repository(all.objects, config.spec.repository, ns);
    bool same = in && in->meta->uid == it.repository.meta->uid && identity_of(config, *in, it.source.source_path) == it.source;
    if (same) return &config;
  }
  return nullptr;
}

/// The mover's options, which decide the user that writes files: the Restore's, else those of the backup.
std::optional<mover_options> mover_for(cluster_view const& all, restore const& object, choice const& it) {
  if (object.spec.mover) return object.spec.mover;
  auto* recipe = recipe_of(all, object, it);
  return recipe ? recipe->spec.mover : std::nullopt;
}

/// The pin of this run from the object's status, if the bus has lost the run: a pin never changes.
std::optional<plan_part<choice>> pinned_before(cluster_view const& all, restore const& object, run_state const& run) {
  auto& pin = object.status.resolved;
  bool ours = object.status.execution && object.status.execution->run_ID == run.run;
  if (!ours || !pin || !pin->snapshot_ID || !pin->repository || !pin->identity) return {};
  auto& in = *pin->repository;
  auto found = usable(all, {.kind = in.kind, .name = in.name, .namespace_ = in.namespace_}, object.metadata.namespace_);
  if (!found) return std::unexpected(found.error());
  auto& repository = *found;
  if (repository.status->unique_ID != in.unique_ID)
    return std::unexpected(refused{fail(kopia_failure::WrongRepository,
                                        "The repository " + in.name + " is not the one that this Restore began with: it was replaced.")});
  choice same{repository, *pin->identity, *pin->snapshot_ID, pin->backup_ref.value_or("")};
  same.passed_over = pin->passed_over;
  return same;
}

}  // namespace

plan_part<choice> choose_snapshot(cluster_view const& all, restore const& object, run_state const& run, std::string const& claim) {
  struct pick_mode {
    cluster_view const& all;
    restore const& object;
    run_state const& run;
    std::string const& claim;
    plan_part<choice> operator()(backup_ref_source const& from) const { return from_backup(all, object, from); }
    plan_part<choice> operator()(from_config_source const& from) const { return from_config(all, object, from, run, claim); }
    plan_part<choice> operator()(identity_source const& from) const { return from_identity(all, object, from, run); }
  };
  auto before = pinned_before(all, object, run);
  auto chosen = before ? *std::move(before) : std::visit(pick_mode{all, object, run, claim}, object.spec.source);
  if (chosen && !chosen->snapshot.empty()) chosen->mover = mover_for(all, object, *chosen);
  return chosen;
}

std::optional<ask> look_for_newer(cluster_view const& all, choice const& none, run_state const& run) {
  auto* head = all.list(none.repository.meta->uid);
  auto& unique = *none.repository.status->unique_ID;
  // A Backup has saved a snapshot since the last list.
  bool due = std::ranges::any_of(all.objects.of<backup>(), [&](auto& each) {
    auto& one = each.second;
    return saved(one) && one.status.snapshot->identity == none.source && rules::lies_in(one, unique) && head &&
           rules::end_of(one) > head->listed_at;
  });
  return list_again(all, none.repository, run, due);
}

}  // namespace kopiur::plans
