#include <algorithm>

#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/fitness.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/neighbours.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

/// The status of a BackupConfig: its identity, pinned once (decisions.md section 7), and its newest success.
namespace kopiur::plans {

using namespace proto;

namespace {

backup const* newest_success(cluster_view const& all, backup_config const& config) {
  backup const* best = nullptr;
  for (auto* one : rules::backups_of(all.objects, config)) {
    if (one->status.phase != backup_phase::Succeeded || !one->status.timing || !one->status.timing->end_time) continue;
    if (!best || *best->status.timing->end_time < *one->status.timing->end_time) best = one;
  }
  return best;
}

/// The identity is pinned once. It may change while no Backup has it, or if the user allows it (decisions.md section 7).
bool may_be_resolved_again(cluster_view const& all, backup_config const& config) {
  return controller::lookup(config.metadata.annotations, annotation::allow_identity_change) == "true" ||
         rules::backups_of(all.objects, config).empty();
}

backup_config_resolved resolve(cluster_view const& all, backup_config const& config, rules::any_repository const& repository) {
  auto who = may_be_resolved_again(all, config) ? rules::rendered_identity(config, repository, "") : identity_of(config, repository, "");
  auto ref = repository.ref();
  backup_config_resolved resolved{
      .identity = resolved_identity{.username = who.username, .hostname = who.hostname, .sources = {}},
      .repository = resolved_repository{.kind = repository.kind, .name = ref.name, .unique_ID = repository.status->unique_ID},
      .copy_method = config.spec.copy_method.value_or(all.can.copy),
      .group_by = grouping_of(all, config)};
  if (!ref.namespace_.empty()) resolved.repository->namespace_ = ref.namespace_;
  for (auto& each : rules::sources_of(all.objects, config)) resolved.identity->sources.push_back({each.claim, each.path});
  return resolved;
}

/// Why the next Backup cannot run; nothing: it can.
std::optional<wait_reason> obstacle(cluster_view const& all, backup_config const& config,
                                    std::optional<rules::any_repository> const& repository) {
  if (!repository) return wait_reason{"RepositoryMissing", "The repository " + config.spec.repository.name + " does not exist."};
  if (auto no = rules::not_allowed(all.objects, *repository, config.metadata.namespace_)) return wait_reason{"NotAllowed", *no};
  if (auto foreign = rules::foreign_identity(config, *repository)) return wait_reason{"NotAllowed", *foreign};
  if (auto other = rules::collision(all.objects, config, *repository, rules::against::older))
    return wait_reason{"IdentityCollision", *other};
  return not_usable(all.objects, *repository, rules::bucket_use::Fill);
}

bool has_captured_source(cluster_view const& all, backup_config const& config) {
  return std::ranges::any_of(rules::sources_of(all.objects, config), [&](rules::source_now const& source) {
    auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), config.metadata.namespace_, source.claim);
    return claim && is_captured(*claim);
  });
}

/// A warning if only the end of the Backup bounds how long its applications stay quiesced.
std::optional<std::string> rest_unbounded(cluster_view const& all, backup_config const& config) {
  auto& hooks = config.spec.hooks;
  bool rests = hooks && !hooks->before_snapshot.empty() && !hooks->after_snapshot.empty();
  bool read_live = config.spec.copy_method.value_or(all.can.copy) == copy_method::Direct;
  if (!rests || !read_live || hooks->quiesce_timeout_seconds) return {};
  return "Its hooks hold the application until all of it was read (copyMethod Direct), which may take as long as the Backup may: set "
         "hooks.quiesceTimeoutSeconds, or read a copy (copyMethod Snapshot), which holds it for seconds.";
}

}  // namespace

actions reconcile_config(cluster_view const& all, backup_config const& config) {
  auto ref = controller::ref_of(config);
  auto needs = reconcile_cascade(
      all, {.object = ref,
            .meta = config.metadata,
            .takes_backups = config.spec.on_config_delete == on_owner_delete::Delete,
            .backups = config.metadata.deletion_timestamp ? rules::backups_of(all.objects, config) : std::vector<backup const*>{}});
  if (config.metadata.deletion_timestamp) return needs;
  auto repository = rules::find_repository(all.objects, config.spec.repository, config.metadata.namespace_);
  auto unusable = obstacle(all, config, repository);
  backup_config_status written;
  if (repository && !rules::not_allowed(all.objects, *repository, config.metadata.namespace_))
    written.resolved = resolve(all, config, *repository);
  if (auto* last = newest_success(all, config))
    written.last_successful_backup = backup_mark{*last->status.timing->end_time, last->metadata.name};
  auto reached = condition(condition_type::repository_reachable, !unusable, unusable ? unusable->reason : "Reachable",
                           unusable ? unusable->message : "The repository can be used.");
  auto ready = condition(condition_type::ready, !unusable, reached.reason, reached.message);
  if (rules::is_suspended(config))
    ready = condition(condition_type::ready, false, "Suspended", rules::suspended_text(rules::suspension_of(config)));
  if (controller::is_manifest_missing(config.metadata))
    ready = condition(condition_type::ready, false, "ManifestMissing",
                      "Its manifest has vanished from the manifest folder; nothing runs, and nothing is deleted.");
  if (has_captured_source(all, config)) add(needs, reconcile_captures(all, config.metadata.namespace_));
  std::vector<condition_fragment> conditions{std::move(ready), std::move(reached), group_snapshots(all, config)};
  if (auto fit = rules::fitness(condition_type::spec_fit, config.status.conditions, "RefusedToday",
                                rules::spec_unfit(backup_config::info.kind, config.metadata, json::encode(config.spec))))
    conditions.push_back(std::move(*fit));
  if (auto bounded = rules::fitness(condition_type::rest_bounded, config.status.conditions, "NoQuiesceTimeout", rest_unbounded(all, config),
                                    "How long its applications may rest is bounded."))
    conditions.push_back(std::move(*bounded));
  needs.statuses.push_back(claim_for(ref, config.metadata.generation, json::encode(written), std::move(conditions)));
  return needs;
}

}  // namespace kopiur::plans
