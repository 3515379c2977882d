#include "services/mover-orchestration/core/world.hpp"

#include <array>

#include "services/mover-orchestration/core/plans/plans.hpp"

namespace kopiur::orchestration {

using namespace proto;

recipe const* find_recipe(std::string_view name) {
  static std::array const all{&connect_recipe, &discover_recipe, &backup_recipe, &delete_recipe, &restore_recipe, &maintain_recipe};
  for (auto* each : all)
    if (each->name == name) return each;
  return nullptr;
}

upkeep tend(world const& all, object_ref const& object) {
  mirror::name_key key{object.namespace_, object.name};
  if (object.kind == "Backup") {
    auto found = all.objects.backups.find(key);
    return found == all.objects.backups.end() ? upkeep{} : tend_backup(all, found->second);
  }
  if (object.kind == "BackupConfig") {
    auto found = all.objects.configs.find(key);
    return found == all.objects.configs.end() ? upkeep{} : tend_config(all, found->second);
  }
  if (object.kind == "Restore") {
    auto found = all.objects.restores.find(key);
    return found == all.objects.restores.end() ? upkeep{} : tend_restore(all, found->second);
  }
  if (object.kind == "Repository" || object.kind == "ClusterRepository") {
    auto kind = object.kind == "Repository" ? repository_kind::Repository : repository_kind::ClusterRepository;
    auto found = mirror::find_repository(all.objects, {.kind = kind, .name = object.name, .namespace_ = {}}, object.namespace_);
    return found ? tend_repository(all, *found) : upkeep{};
  }
  return {};
}

std::optional<std::string> wants_cancel(world const& all, run_state const& run) {
  auto& object = run.order.object;
  if (object.kind == "Backup" || object.kind == "Restore" || object.kind == "Maintenance") {
    auto* meta = mirror::find_meta(all.objects, object.kind, {object.namespace_, object.name});
    bool same = meta && (object.uid.empty() || meta->uid == object.uid);
    if (same && meta->deletion_timestamp) return object.kind + " " + object.name + " was deleted";
    if (same)
      if (auto why = mirror::lookup(meta->annotations, annotation::cancel_run); !why.empty()) return std::string(why);
  }
  auto* how = find_recipe(run.order.plan);
  return how && how->cancel ? how->cancel(all, run) : std::nullopt;
}

}  // namespace kopiur::orchestration
