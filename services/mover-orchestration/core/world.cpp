#include "services/mover-orchestration/core/world.hpp"

#include <algorithm>
#include <array>

#include "services/mirror/core/belonging.hpp"
#include "services/mover-orchestration/core/plans/plans.hpp"

namespace kopiur::orchestration {

using namespace proto;

void add(upkeep& to, upkeep more) {
  std::ranges::move(more.orders, std::back_inserter(to.orders));
  std::ranges::move(more.asks, std::back_inserter(to.asks));
  std::ranges::move(more.claims, std::back_inserter(to.claims));
  if (more.wake) to.wake = std::min(to.wake.value_or(*more.wake), *more.wake);
}

std::span<recipe const* const> recipes() {
  static std::array<recipe const*, 6> const all{&connect_recipe, &discover_recipe, &backup_recipe,
                                                &delete_recipe,  &restore_recipe,  &maintain_recipe};
  return all;
}

recipe const* find_recipe(std::string_view name) {
  for (auto* each : recipes())
    if (each->name == name) return each;
  return nullptr;
}

namespace {

template <class T>
upkeep tend_in(world const& all, mirror::table<T> const& in, mirror::name_key const& key, upkeep (*how)(world const&, T const&)) {
  auto found = in.find(key);
  return found == in.end() ? upkeep{} : how(all, found->second);
}

/// A claim that waits for its data needs what its Restore needs. One that was captured, though no config is left, is to be let go.
upkeep tend_claim(world const& all, persistent_volume_claim const& claim) {
  auto& ns = claim.metadata.namespace_;
  auto needs = tend_in(all, all.objects.restores, {ns, mirror::filling_restore(claim)}, tend_restore);
  add(needs, tend_captures(all, ns));
  return needs;
}

}  // namespace

upkeep tend(world const& all, object_ref const& object) {
  mirror::name_key key{object.namespace_, object.name};
  if (object.kind == "Backup") return tend_in(all, all.objects.backups, key, tend_backup);
  if (object.kind == "BackupConfig") return tend_in(all, all.objects.configs, key, tend_config);
  if (object.kind == "BackupSchedule") return tend_in(all, all.objects.schedules, key, tend_schedule);
  if (object.kind == "Restore") return tend_in(all, all.objects.restores, key, tend_restore);
  if (object.kind == "Maintenance") return tend_in(all, all.objects.maintenances, key, tend_maintenance);
  if (object.kind == "PersistentVolumeClaim") return tend_in(all, all.objects.claims, key, tend_claim);
  if (object.kind == "Repository" || object.kind == "ClusterRepository") {
    auto kind = object.kind == "Repository" ? repository_kind::Repository : repository_kind::ClusterRepository;
    auto found = mirror::find_repository(all.objects, {.kind = kind, .name = object.name, .namespace_ = {}}, object.namespace_);
    return found ? tend_repository(all, *found) : upkeep{};
  }
  return {};
}

std::vector<object_ref> left_by(mirror::objects const& all, object_ref const& gone) {
  std::vector<object_ref> left;
  auto add_those_that_go = [&](auto const& table) {
    for (auto& [_, one] : table)
      if (one.metadata.deletion_timestamp) left.push_back(mirror::ref_of(one));
  };
  add_those_that_go(all.configs), add_those_that_go(all.schedules);
  add_those_that_go(all.repositories), add_those_that_go(all.cluster_repositories);
  auto& ns = gone.namespace_;
  for (auto* parent : parents_by_name(all, ns, gone.name)) left.push_back(mirror::ref_of(*parent));
  for (auto at = all.claims.lower_bound({ns, ""}); at != all.claims.end() && at->first.namespace_ == ns; ++at)
    if (is_captured(at->second)) left.push_back({"PersistentVolumeClaim", ns, at->first.name, at->second.metadata.uid});
  return left;
}

bool is_object_of(run_state const& run, object_meta const& meta) {
  if (auto& uid = run.order.object.uid; !uid.empty()) return meta.uid == uid;
  if (!run.plan) return mirror::is_made_by(meta, run.run);
  return std::ranges::any_of(run.plan->serves, [&](object_ref const& served) { return served.uid == meta.uid; });
}

namespace {

/// A run is for an object of this kind alone. A Backup has a finalizer, and is seen while it goes; the others are just gone.
bool ends_with_its_object(std::string const& kind) { return kind == "Restore" || kind == "Maintenance"; }

}  // namespace

std::optional<std::string> wants_cancel(world const& all, run_state const& run) {
  auto& object = run.order.object;
  if (object.kind == "Backup" || ends_with_its_object(object.kind)) {
    auto* meta = mirror::find_meta(all.objects, object.kind, {object.namespace_, object.name});
    bool same = meta && is_object_of(run, *meta);
    bool was_there = !object.uid.empty() || run.plan;  // it is not still to be made
    bool gone = all.objects.listed && ends_with_its_object(object.kind) && was_there && !same;
    if (gone || (same && meta->deletion_timestamp)) return object.kind + " " + object.name + " was deleted";
    if (same)
      if (auto why = mirror::lookup(meta->annotations, annotation::cancel_run); !why.empty()) return std::string(why);
  }
  auto* how = find_recipe(run.order.plan);
  return how && how->cancel ? how->cancel(all, run) : std::nullopt;
}

}  // namespace kopiur::orchestration
