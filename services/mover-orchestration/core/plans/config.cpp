#include <algorithm>

#include "proto/codec.hpp"
#include "services/mirror/core/fitness.hpp"
#include "services/mirror/core/identity.hpp"
#include "services/mirror/core/neighbours.hpp"
#include "services/mirror/core/suspension.hpp"
#include "services/mover-orchestration/core/plans/plans.hpp"

/// What a BackupConfig's status says: its identity, pinned once (decisions.md section 7), and its newest success.
namespace kopiur::orchestration {

using namespace proto;

namespace {

backup const* newest_success(world const& all, backup_config const& config) {
  backup const* best = nullptr;
  for (auto* one : mirror::backups_of(all.objects, config)) {
    if (one->status.phase != backup_phase::Succeeded || !one->status.timing || !one->status.timing->end_time) continue;
    if (!best || *best->status.timing->end_time < *one->status.timing->end_time) best = one;
  }
  return best;
}

/// Written once, unless no snapshot bears it yet, or the user says that it may change (decisions.md section 7).
bool may_be_resolved_anew(world const& all, backup_config const& config) {
  return mirror::lookup(config.metadata.annotations, annotation::allow_identity_change) == "true" ||
         mirror::backups_of(all.objects, config).empty();
}

backup_config_resolved resolve(world const& all, backup_config const& config, mirror::repository_sight const& repository) {
  auto who = may_be_resolved_anew(all, config) ? mirror::rendered_identity(config, repository, "") : identity_of(config, repository, "");
  auto ref = repository.ref();
  backup_config_resolved to{
      .identity = resolved_identity{.username = who.username, .hostname = who.hostname, .sources = {}},
      .repository = resolved_repository{.kind = repository.kind, .name = ref.name, .unique_ID = repository.status->unique_ID},
      .copy_method = config.spec.copy_method.value_or(all.can.copy),
      .group_by = grouping_of(all, config)};
  if (!ref.namespace_.empty()) to.repository->namespace_ = ref.namespace_;
  for (auto& each : mirror::sources_of(all.objects, config)) to.identity->sources.push_back({each.claim, each.path});
  return to;
}

/// Nothing stands in the way of the next Backup, or what does.
std::optional<wait_reason> obstacle(world const& all, backup_config const& config,
                                    std::optional<mirror::repository_sight> const& repository) {
  if (!repository) return wait_reason{"RepositoryMissing", "The repository " + config.spec.repository.name + " is not there."};
  if (auto no = mirror::not_allowed(all.objects, *repository, config.metadata.namespace_)) return wait_reason{"NotAllowed", *no};
  if (auto foreign = mirror::foreign_identity(config, *repository)) return wait_reason{"NotAllowed", *foreign};
  if (auto other = mirror::collision(all.objects, config, *repository, mirror::against::older))
    return wait_reason{"IdentityCollision", *other};
  return not_usable(*repository);
}

bool has_captured_source(world const& all, backup_config const& config) {
  return std::ranges::any_of(mirror::sources_of(all.objects, config), [&](mirror::source_now const& source) {
    auto* claim = mirror::find(all.objects.claims, config.metadata.namespace_, source.claim);
    return claim && is_captured(*claim);
  });
}

/// Nothing bounds how long its applications rest, but the end of the Backup.
std::optional<std::string> rest_unbounded(world const& all, backup_config const& config) {
  auto& hooks = config.spec.hooks;
  bool rests = hooks && !hooks->before_snapshot.empty() && !hooks->after_snapshot.empty();
  bool read_live = config.spec.copy_method.value_or(all.can.copy) == copy_method::Direct;
  if (!rests || !read_live || hooks->quiesce_timeout_seconds) return {};
  return "Its hooks hold the application until all of it was read (copyMethod Direct), which may take as long as the Backup may: set "
         "hooks.quiesceTimeoutSeconds, or read a copy (copyMethod Snapshot), which holds it for seconds.";
}

}  // namespace

upkeep tend_config(world const& all, backup_config const& config) {
  auto ref = mirror::ref_of(config);
  auto needs = tend_cascade(
      all, {.of = ref,
            .meta = config.metadata,
            .takes_backups = config.spec.on_config_delete == on_owner_delete::Delete,
            .backups = config.metadata.deletion_timestamp ? mirror::backups_of(all.objects, config) : std::vector<backup const*>{}});
  if (config.metadata.deletion_timestamp) return needs;
  auto repository = mirror::find_repository(all.objects, config.spec.repository, config.metadata.namespace_);
  auto unusable = obstacle(all, config, repository);
  backup_config_status to;
  if (repository && !mirror::not_allowed(all.objects, *repository, config.metadata.namespace_))
    to.resolved = resolve(all, config, *repository);
  if (auto* last = newest_success(all, config))
    to.last_successful_backup = backup_mark{*last->status.timing->end_time, last->metadata.name};
  auto reached = condition(condition_type::repository_reachable, !unusable, unusable ? unusable->reason : "Reachable",
                           unusable ? unusable->message : "The repository can be used.");
  auto ready = condition(condition_type::ready, !unusable, reached.reason, reached.message);
  if (mirror::is_suspended(config))
    ready = condition(condition_type::ready, false, "Suspended", mirror::suspended_text(mirror::suspension_of(config)));
  if (mirror::is_manifest_missing(config.metadata))
    ready = condition(condition_type::ready, false, "ManifestMissing",
                      "Its manifest has vanished from the manifest folder; nothing runs, and nothing is deleted.");
  if (has_captured_source(all, config)) add(needs, tend_captures(all, config.metadata.namespace_));
  std::vector<condition_claim> conditions{std::move(ready), std::move(reached), group_snapshots(all, config)};
  if (auto fit = mirror::fitness(condition_type::spec_fit, config.status.conditions, "RefusedToday",
                                 mirror::spec_unfit(backup_config::info.kind, config.metadata, json::encode(config.spec))))
    conditions.push_back(std::move(*fit));
  if (auto bounded = mirror::fitness(condition_type::rest_bounded, config.status.conditions, "NoQuiesceTimeout",
                                     rest_unbounded(all, config), "How long its applications may rest is bounded."))
    conditions.push_back(std::move(*bounded));
  needs.claims.push_back(claim_for(ref, config.metadata.generation, json::encode(to), std::move(conditions)));
  return needs;
}

}  // namespace kopiur::orchestration
