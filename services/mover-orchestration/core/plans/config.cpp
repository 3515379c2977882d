#include <algorithm>

#include "proto/codec.hpp"
#include "services/mover-orchestration/core/plans/plans.hpp"

/// What a BackupConfig's status says: its identity, pinned once (decisions.md section 7), and its newest success.
namespace kopiur::orchestration {

using namespace proto;

namespace {

backup const* newest_success(world const& all, backup_config const& config) {
  backup const* best = nullptr;
  for (auto& [key, one] : all.objects.backups) {
    bool of_this = key.namespace_ == config.metadata.namespace_ && one.spec.config_ref && one.spec.config_ref->name == config.metadata.name;
    if (!of_this || one.status.phase != backup_phase::Succeeded || !one.status.timing || !one.status.timing->end_time) continue;
    if (!best || *best->status.timing->end_time < *one.status.timing->end_time) best = &one;
  }
  return best;
}

backup_config_resolved resolve(world const& all, backup_config const& config, mirror::repository_sight const& repository) {
  auto who = identity_of(config, repository, "");
  auto ref = repository.ref();
  backup_config_resolved to{.identity = resolved_identity{.username = who.username, .hostname = who.hostname, .sources = {}},
                            .repository = resolved_repository{.kind = repository.kind, .name = ref.name, .unique_ID = repository.status->unique_ID},
                            .copy_method = config.spec.copy_method.value_or(all.can.copy),
                            .group_by = config.spec.group_by.value_or(all.can.group)};
  if (!ref.namespace_.empty()) to.repository->namespace_ = ref.namespace_;
  for (auto& each : mirror::sources_of(all.objects, config)) to.identity->sources.push_back({each.claim, each.path});
  return to;
}

}  // namespace

upkeep tend_config(world const& all, backup_config const& config) {
  upkeep needs;
  if (config.metadata.deletion_timestamp) return needs;
  object_ref ref{"BackupConfig", config.metadata.namespace_, config.metadata.name, config.metadata.uid};
  auto repository = mirror::find_repository(all.objects, config.spec.repository, config.metadata.namespace_);
  auto refusal = repository ? not_allowed(all, *repository, config.metadata.namespace_) : std::nullopt;
  auto unusable = repository ? not_usable(*repository) : std::optional(wait_reason{"RepositoryMissing", "The repository " + config.spec.repository.name + " is not there."});
  if (refusal) unusable = wait_reason{"NotAllowed", *refusal};
  backup_config_status to;
  if (repository && !refusal) to.resolved = resolve(all, config, *repository);
  if (auto* last = newest_success(all, config)) to.last_successful_backup = backup_mark{*last->status.timing->end_time, last->metadata.name};
  auto reason = unusable ? unusable->reason : std::string("Reachable");
  auto message = unusable ? unusable->message : std::string("The repository can be used.");
  needs.claims.push_back(claim_for(ref, config.metadata.generation, json::encode(to),
                                   {condition(condition_type::ready, !unusable && !config.spec.suspend, config.spec.suspend ? "Suspended" : reason,
                                              config.spec.suspend ? "The config is suspended; nothing runs." : message),
                                    condition(condition_type::repository_reachable, !unusable, reason, message)}));
  return needs;
}

}  // namespace kopiur::orchestration
