#include "services/mover-orchestration/core/world.hpp"

#include <algorithm>
#include <array>

#include "services/controller/core/run_facts.hpp"
#include "services/mover-orchestration/core/plans/plans.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/marks.hpp"
#include "services/systems/kopiur/rules/sources.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;

void add(upkeep& to, upkeep more) {
  std::ranges::move(more.orders, std::back_inserter(to.orders));
  std::ranges::move(more.asks, std::back_inserter(to.asks));
  std::ranges::move(more.claims, std::back_inserter(to.claims));
  to.wake = soonest(to.wake, more.wake);
}

std::span<recipe const* const> recipes() {
  static std::array<recipe const*, 8> const all{&connect_recipe,   &discover_recipe, &backup_recipe,  &occasion_recipe,
                                                &unquiesce_recipe, &delete_recipe,   &restore_recipe, &maintain_recipe};
  return all;
}

recipe const* find_recipe(std::string_view name) {
  for (auto* each : recipes())
    if (each->name == name) return each;
  return nullptr;
}

namespace {

template <class T>
upkeep tend_in(world const& all, controller::table<T> const& in, controller::name_key const& key, upkeep (*how)(world const&, T const&)) {
  auto found = in.find(key);
  return found == in.end() ? upkeep{} : how(all, found->second);
}

/// A claim that waits for its data needs what its Restore needs. One that was captured, though no config is left, is to be let go.
upkeep tend_claim(world const& all, persistent_volume_claim const& claim) {
  auto& ns = claim.metadata.namespace_;
  auto needs = tend_in(all, all.objects.restores, {ns, rules::filling_restore(claim)}, tend_restore);
  if (is_captured(claim)) add(needs, tend_captures(all, ns));
  return needs;
}

}  // namespace

upkeep tend(world const& all, object_ref const& object) {
  if (!all.objects.listed) return {};
  controller::name_key key{object.namespace_, object.name};
  if (object.kind == "Backup") return tend_in(all, all.objects.backups, key, tend_backup);
  if (object.kind == "BackupConfig") return tend_in(all, all.objects.configs, key, tend_config);
  if (object.kind == "BackupSchedule") return tend_in(all, all.objects.schedules, key, tend_schedule);
  if (object.kind == "Restore") return tend_in(all, all.objects.restores, key, tend_restore);
  if (object.kind == "Maintenance") return tend_in(all, all.objects.maintenances, key, tend_maintenance);
  if (object.kind == "PersistentVolumeClaim") return tend_in(all, all.objects.claims, key, tend_claim);
  if (object.kind == "Repository" || object.kind == "ClusterRepository") {
    auto found = rules::find_repository(all.objects, object);
    return found ? tend_repository(all, *found) : upkeep{};
  }
  return {};
}

std::vector<object_ref> to_sweep(controller::objects const& all) {
  std::vector<object_ref> objects;
  auto add_each = [&](auto const& table, auto needs) {
    for (auto& [_, one] : table)
      if (needs(one)) objects.push_back(controller::ref_of(one));
  };
  auto always = [](auto&) { return true; };
  rules::for_each_repository(all, [&](rules::any_repository const& one) { objects.push_back(one.ref()); });
  add_each(all.backups, [](backup const& one) {
    auto phase = one.status.phase.value_or(backup_phase::Pending);
    return one.metadata.deletion_timestamp || phase == backup_phase::Pending || phase == backup_phase::Running;
  });
  add_each(all.configs, always);
  add_each(all.restores, always);
  for (auto& [key, one] : all.claims)
    if (is_captured(one)) objects.push_back({"PersistentVolumeClaim", key.namespace_, key.name, one.metadata.uid});
  return objects;
}

namespace {

bool is_reached_by(rules::any_repository const& repository, object_ref const& secret) {
  return std::ranges::any_of(connection_to(repository, rules::home_of(repository)).secrets, [&](secret_use const& each) {
    return each.secret_namespace == secret.namespace_ && each.secret_name == secret.name;
  });
}

/// Of a repository that is gone, too.
void add_configs_at(std::vector<object_ref>& to, controller::objects const& all, object_ref const& repository) {
  for (auto& [key, one] : all.configs)
    if (rules::names(one.spec.repository, key.namespace_, repository)) to.push_back(controller::ref_of(one));
}

void add_configs_with_selectors(std::vector<object_ref>& to, controller::objects const& all, std::string const& ns) {
  for (auto& [_, one] : controller::in_namespace(all.configs, ns))
    if (rules::selects_claims(one)) to.push_back(controller::ref_of(one));
}

/// The Backup that a sibling was made for.
void add_parent(std::vector<object_ref>& to, controller::objects const& all, object_ref const& sibling) {
  auto* there = controller::find(all.backups, sibling.namespace_, sibling.name);
  auto group = there ? rules::group_of(*there) : std::string_view{};
  if (!group.empty()) to.push_back({"Backup", sibling.namespace_, std::string(group), ""});
}

void add_deletions_that_wait_for(std::vector<object_ref>& to, controller::objects const& all, object_ref const& changed) {
  static constexpr std::string_view waited_for[] = {"Secret", "Repository", "ClusterRepository", "Restore", "Namespace"};
  if (std::ranges::find(waited_for, changed.kind) == std::end(waited_for)) return;
  bool in_one = changed.kind == "Namespace";
  for (auto& [key, one] : all.backups)
    if (one.metadata.deletion_timestamp && (!in_one || key.namespace_ == changed.name)) to.push_back(controller::ref_of(one));
}

}  // namespace

std::vector<object_ref> dependents(controller::objects const& all, object_ref const& changed) {
  std::vector<object_ref> found;
  if (changed.kind == "Backup") add_parent(found, all, changed);
  if (changed.kind == "PersistentVolumeClaim") add_configs_with_selectors(found, all, changed.namespace_);
  if (changed.kind == "Repository" || changed.kind == "ClusterRepository") add_configs_at(found, all, changed);
  if (changed.kind == "Secret")
    rules::for_each_repository(all, [&](rules::any_repository const& one) {
      if (!is_reached_by(one, changed)) return;
      found.push_back(one.ref());
      add_configs_at(found, all, one.ref());
    });
  add_deletions_that_wait_for(found, all, changed);
  return found;
}

std::vector<object_ref> left_by(controller::objects const& all, object_ref const& gone) {
  std::vector<object_ref> left;
  auto add_those_that_go = [&](auto const& table) {
    for (auto& [_, one] : table)
      if (one.metadata.deletion_timestamp) left.push_back(controller::ref_of(one));
  };
  add_those_that_go(all.configs), add_those_that_go(all.schedules);
  add_those_that_go(all.repositories), add_those_that_go(all.cluster_repositories);
  auto& ns = gone.namespace_;
  for (auto& [_, one] : controller::in_namespace(all.configs, ns))
    if (!one.metadata.deletion_timestamp) left.push_back(controller::ref_of(one));
  for (auto* parent : parents_by_name(all, ns, gone.name)) left.push_back(controller::ref_of(*parent));
  for (auto& [key, claim] : controller::in_namespace(all.claims, ns))
    if (is_captured(claim)) left.push_back({"PersistentVolumeClaim", ns, key.name, claim.metadata.uid});
  return left;
}

std::vector<job const*> jobs_of(controller::objects const& all, std::string const& ns, std::string const& run) {
  std::vector<job const*> found;
  controller::name_key first{ns, run + "-"};
  auto& jobs = all.jobs;
  for (auto at = jobs.lower_bound(first); at != jobs.end() && at->first.namespace_ == ns && at->first.name.starts_with(first.name); ++at)
    if (at->second.run == run) found.push_back(&at->second);
  return found;
}

ask stop_left_job(job const& left) {
  // Of what it read nothing is known but the name that plans give to what they copy.
  delete_job gone{.run = left.run, .attempt = left.attempt, .namespace_ = left.namespace_, .copies = {std::string(copied_volume)}};
  return {gateway_command{std::move(gone)}, left.run + "-" + std::to_string(left.attempt)};
}

std::vector<ask> removals_of_left_jobs(world const& all, std::function<bool(std::string const& run)> const& is_written) {
  constexpr duration may_be_ordered_again = std::chrono::minutes(15);  // from its object, which may be told late
  std::vector<ask> asks;
  if (!all.objects.listed) return asks;
  for (auto& [_, job] : all.objects.jobs) {
    auto& status = job.status;
    bool over = status.pods_gone && status.finished_at && *status.finished_at + may_be_ordered_again < all.now;
    auto* run = over ? all.run(job.run) : nullptr;
    bool left = over && (run ? run->stage == run_stage::FollowThroughComplete : !is_written(job.run));
    if (!left) continue;
    asks.push_back(stop_left_job(job));
  }
  return asks;
}

bool is_object_of(run_state const& run, object_meta const& meta) {
  if (auto& uid = run.order.object.uid; !uid.empty()) return meta.uid == uid;
  if (!run.plan) return controller::is_made_by(meta, run.run);
  return std::ranges::any_of(run.plan->serves, [&](object_ref const& served) { return served.uid == meta.uid; });
}

preparation prepare_by_recipe(world const& all, run_state const& run) {
  auto* how = find_recipe(run.order.plan);
  if (!how) return refused{{.class_ = failure_class::InvalidWork, .message = "No plan is called " + run.order.plan + "."}};
  if (!all.objects.listed) return wait{.why = {"ClusterNotListed", "Waiting until the gateway has listed the cluster's objects."}};
  auto said = how->prepare(all, run);
  if (auto* one = std::get_if<ready>(&said)) one->plan.start_within = one->plan.start_within.value_or(all.can.pod_start);
  return said;
}

run_state const* last_ended(world const& all, object_ref const& object) {
  auto* meta = controller::find_meta(all.objects, object.kind, {object.namespace_, object.name});
  if (!meta) return nullptr;
  run_state const* last = nullptr;
  for (auto* how : recipes())
    for (auto* run : how->report ? all.runs_of(meta->uid, how->name) : std::vector<run_state const*>{}) {
      auto& of = run->order.object;
      bool tells = run->stage == run_stage::FollowThroughComplete && of.kind == object.kind && of.name == object.name;
      if (tells && (!last || controller::is_older(*last, *run))) last = run;
    }
  return last;
}

namespace {

/// A run is for an object of this kind alone: who is told how it went, and whose application rests, is gone with it. (A Backup that is
/// deleted before it has its finalizer is just gone.)
bool ends_with_its_object(std::string const& kind) { return kind == "Backup" || kind == "Restore" || kind == "Maintenance"; }

}  // namespace

std::optional<cancellation> wants_cancel(world const& all, run_state const& run) {
  auto& object = run.order.object;
  if (ends_with_its_object(object.kind)) {
    auto* meta = controller::find_meta(all.objects, object.kind, {object.namespace_, object.name});
    bool same = meta && is_object_of(run, *meta);
    bool was_there = !object.uid.empty() || run.plan;  // it is not still to be made
    bool gone = all.objects.listed && was_there && !same;
    if (gone || (same && meta->deletion_timestamp)) return cancellation{object.kind + " " + object.name + " was deleted"};
    if (same)
      if (auto why = controller::lookup(meta->annotations, annotation::cancel_run); !why.empty()) return cancellation{std::string(why)};
  }
  auto* how = find_recipe(run.order.plan);
  return how && how->cancel ? how->cancel(all, run) : std::nullopt;
}

}  // namespace kopiur::mover_orchestration
