#include "services/systems/kopiur/reconcile.hpp"

#include <algorithm>

#include "services/systems/kopiur/plans/plans.hpp"

namespace kopiur::plans {

using namespace proto;

namespace {

using controller::name_key;
using controller::objects;

template <class T>
actions reconcile_in(cluster_view const& all, controller::table<T> const& in, name_key const& key,
                     actions (*of_one)(cluster_view const&, T const&)) {
  auto found = in.find(key);
  return found == in.end() ? actions{} : of_one(all, found->second);
}

/// A claim that waits for its data is reconciled as its Restore. A captured claim must be released, even if no config is left.
actions reconcile_claim(cluster_view const& all, persistent_volume_claim const& claim) {
  auto& ns = claim.metadata.namespace_;
  auto needs = reconcile_in(all, all.objects.of<restore>(), {ns, rules::filling_restore(claim)}, reconcile_restore);
  if (is_captured(claim)) add(needs, reconcile_captures(all, ns));
  return needs;
}

template <class T, auto OfOne>
actions of(cluster_view const& all, object_ref const& object) {
  return reconcile_in<T>(all, all.objects.of<T>(), {object.namespace_, object.name}, OfOne);
}

actions of_repository(cluster_view const& all, object_ref const& object) {
  auto found = rules::find_repository(all.objects, object);
  return found ? reconcile_repository(all, *found) : actions{};
}

struct reconciler {
  std::string_view kind;
  actions (*act)(cluster_view const&, object_ref const&);
};
constexpr reconciler reconcilers[] = {{backup::info.kind, of<backup, reconcile_backup>},
                                      {backup_config::info.kind, of<backup_config, reconcile_config>},
                                      {backup_schedule::info.kind, of<backup_schedule, reconcile_schedule>},
                                      {restore::info.kind, of<restore, reconcile_restore>},
                                      {maintenance::info.kind, of<maintenance, reconcile_maintenance>},
                                      {persistent_volume_claim::info.kind, of<persistent_volume_claim, reconcile_claim>},
                                      {repository::info.kind, of_repository},
                                      {cluster_repository::info.kind, of_repository}};

}  // namespace

actions reconcile(cluster_view const& all, object_ref const& object) {
  auto found = std::ranges::find(reconcilers, object.kind, &reconciler::kind);
  bool known = all.objects.listed && found != std::end(reconcilers);
  return known ? found->act(all, object) : actions{};
}

std::vector<controller::resync_item> resync(controller::objects const& all) {
  std::vector<controller::resync_item> items;
  auto add_each = [&](auto const& table, auto needs, bool reports = false) {
    for (auto& [_, one] : table)
      if (needs(one)) items.push_back({controller::ref_of(one), reports});
  };
  auto always = [](auto&) { return true; };
  rules::for_each_repository(all, [&](rules::any_repository const& one) { items.push_back({one.ref()}); });
  add_each(all.of<backup>(), [](backup const& one) {
    auto phase = one.status.phase.value_or(backup_phase::Pending);
    return one.metadata.deletion_timestamp || phase == backup_phase::Pending || phase == backup_phase::Running;
  });
  add_each(all.of<backup_config>(), always);
  add_each(all.of<restore>(), always, true);  // their status depends on claims
  for (auto& [key, one] : all.of<persistent_volume_claim>())
    if (is_captured(one)) items.push_back({{std::string(persistent_volume_claim::info.kind), key.namespace_, key.name, one.metadata.uid}});
  return items;
}

namespace {

/// Whether the change of a Secret, Buckety or BucketyAccess concerns the connection to the repository.
bool is_reached_by(controller::objects const& all, rules::any_repository const& repository, object_ref const& changed) {
  if (rules::has_bucket_from(all, repository, changed)) return true;
  return changed.kind == secret::info.kind && std::ranges::any_of(secrets_of(repository), [&](secret_use const& each) {
           return each.secret_namespace == changed.namespace_ && each.secret_name == changed.name;
         });
}

/// Also for a repository that no longer exists.
void add_configs_at(std::vector<object_ref>& objects, controller::objects const& all, object_ref const& repository) {
  for (auto& [key, one] : all.of<backup_config>())
    if (rules::names(one.spec.repository, key.namespace_, repository)) objects.push_back(controller::ref_of(one));
}

void add_configs_with_selectors(std::vector<object_ref>& objects, controller::objects const& all, std::string const& ns) {
  for (auto& [_, one] : controller::in_namespace(all.of<backup_config>(), ns))
    if (rules::selects_claims(one)) objects.push_back(controller::ref_of(one));
}

/// Adds the Backup that a sibling was created for.
void add_parent(std::vector<object_ref>& objects, controller::objects const& all, object_ref const& sibling) {
  auto* there = controller::find(all.of<backup>(), sibling.namespace_, sibling.name);
  auto group = there ? rules::group_of(*there) : std::string_view{};
  if (!group.empty()) objects.push_back({std::string(backup::info.kind), sibling.namespace_, std::string(group), ""});
}

void add_deletions_that_wait_for(std::vector<object_ref>& objects, controller::objects const& all, object_ref const& changed) {
  static constexpr std::string_view waited_for[] = {secret::info.kind,        repository::info.kind,     cluster_repository::info.kind,
                                                    buckety::info.kind,       buckety_access::info.kind, restore::info.kind,
                                                    core_namespace::info.kind};
  if (std::ranges::find(waited_for, changed.kind) == std::end(waited_for)) return;
  bool in_one = changed.kind == core_namespace::info.kind;
  for (auto& [key, one] : all.of<backup>())
    if (one.metadata.deletion_timestamp && (!in_one || key.namespace_ == changed.name)) objects.push_back(controller::ref_of(one));
}

/// A deletion that begins may put those that wait beside it under deletion protection. A crowd of them is left to the resync.
void add_waiting_deletions(std::vector<object_ref>& objects, controller::objects const& all, object_ref const& changed) {
  constexpr int most = 100;
  auto* there = controller::find(all.of<backup>(), changed.namespace_, changed.name);
  bool begins = there && there->metadata.deletion_timestamp && there->status.phase != backup_phase::Deleting;
  int left = begins ? most : 0;
  for (auto& [key, one] : controller::in_namespace(all.of<backup>(), changed.namespace_)) {
    if (left == 0) return;
    if (!one.metadata.deletion_timestamp || key.name == changed.name) continue;
    objects.push_back(controller::ref_of(one)), --left;
  }
}

/// Other objects to reconcile after a change: those that use a Secret, bucket or repository or select a claim, the Backup that a sibling
/// was created for, and deletions that wait for a Secret, bucket, repository, Restore or namespace.
std::vector<object_ref> dependents(controller::objects const& all, object_ref const& changed) {
  std::vector<object_ref> found;
  if (changed.kind == backup::info.kind) add_parent(found, all, changed);
  if (changed.kind == persistent_volume_claim::info.kind) add_configs_with_selectors(found, all, changed.namespace_);
  if (changed.kind == repository::info.kind || changed.kind == cluster_repository::info.kind) add_configs_at(found, all, changed);
  if (changed.kind == secret::info.kind || changed.kind == buckety::info.kind || changed.kind == buckety_access::info.kind)
    rules::for_each_repository(all, [&](rules::any_repository const& one) {
      if (!is_reached_by(all, one, changed)) return;
      found.push_back(one.ref());
      add_configs_at(found, all, one.ref());
    });
  add_deletions_that_wait_for(found, all, changed);
  return found;
}

/// Objects to reconcile after a Backup was deleted; only its name is known. Owners that are being deleted with their Backups, the configs
/// of its namespace (their last Backup), its parent if it was a sibling, and captured claims.
std::vector<object_ref> left_by(controller::objects const& all, object_ref const& gone) {
  std::vector<object_ref> left;
  auto add_those_that_go = [&](auto const& table) {
    for (auto& [_, one] : table)
      if (one.metadata.deletion_timestamp) left.push_back(controller::ref_of(one));
  };
  add_those_that_go(all.of<backup_config>()), add_those_that_go(all.of<backup_schedule>());
  add_those_that_go(all.of<proto::repository>()), add_those_that_go(all.of<cluster_repository>());
  auto& ns = gone.namespace_;
  for (auto& [_, one] : controller::in_namespace(all.of<backup_config>(), ns))
    if (!one.metadata.deletion_timestamp) left.push_back(controller::ref_of(one));
  for (auto* parent : parents_by_name(all, ns, gone.name)) left.push_back(controller::ref_of(*parent));
  for (auto& [key, claim] : controller::in_namespace(all.of<persistent_volume_claim>(), ns))
    if (is_captured(claim)) left.push_back({std::string(persistent_volume_claim::info.kind), ns, key.name, claim.metadata.uid});
  return left;
}

/// A claim that a Restore fills: the Restore is Completed once it is bound.
std::vector<object_ref> reported_with(objects const& all, object_ref const& changed) {
  if (changed.kind != persistent_volume_claim::info.kind) return {};
  auto* claim = controller::find(all.of<persistent_volume_claim>(), changed.namespace_, changed.name);
  auto filling = claim ? rules::filling_restore(*claim) : std::string();
  if (filling.empty()) return {};
  return {{std::string(restore::info.kind), changed.namespace_, filling, ""}};
}

bool any_run(run_state const&) { return true; }
bool is_of_restore(run_state const& due) { return due.order.object.kind == restore::info.kind; }

}  // namespace

controller::effects affected_by(objects const& all, object_ref const& changed) {
  controller::effects found{.at_once = dependents(all, changed), .soon = {}, .reported = reported_with(all, changed), .unblocks = any_run};
  if (changed.kind != backup::info.kind) return found;
  found.unblocks = is_of_restore;  // which looks for a snapshot
  auto* there = controller::find(all.of<backup>(), changed.namespace_, changed.name);
  if (!there) found.soon = left_by(all, changed);
  add_waiting_deletions(found.soon, all, changed);
  if (there && there->spec.config_ref)
    found.soon.push_back({std::string(backup_config::info.kind), changed.namespace_, there->spec.config_ref->name, ""});
  return found;
}

}  // namespace kopiur::plans
