#include "services/mover-orchestration/core/dispatch.hpp"

#include <algorithm>

#include "services/controller/core/jobs.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;

controller::actions reconcile(cluster_view const& all, object_ref const& object) {
  controller::actions needs;
  if (!all.objects.listed) return needs;
  for (auto* system : systems()) add(needs, system->reconcile(all, object));
  return needs;
}

std::vector<ask> removals_of_left_jobs(cluster_view const& all, std::function<bool(std::string const& run)> const& is_written) {
  constexpr duration may_be_ordered_again = std::chrono::minutes(15);  // after a loss of the bus, from its object, which may be listed late
  std::vector<ask> asks;
  if (!all.objects.listed) return asks;
  for (auto& [_, job] : all.objects.of<job>()) {
    auto& status = job.status;
    bool over = status.pods_gone && status.finished_at && *status.finished_at + may_be_ordered_again < all.now;
    auto* run = over ? all.run(job.run) : nullptr;
    bool left = over && (run ? run->stage == run_stage::FollowThroughComplete : !is_written(job.run));
    if (!left) continue;
    asks.push_back(controller::stop_left_job(job));
  }
  return asks;
}

namespace {
wait until_listed() { return {.why = {"ClusterNotListed", "Waiting until the gateway has listed the cluster's objects."}}; }
}  // namespace

securing secure(cluster_view const& all, run_state const& run, controller::plan_kind const& kind) {
  return all.objects.listed ? kind.secure(all, run) : until_listed();
}

std::vector<ask> keep(cluster_view const& all, run_state const& run, controller::plan_kind const& kind) {
  return all.objects.listed ? kind.keep(all, run) : std::vector<ask>();
}

follow_through follow(cluster_view const& all, run_state const& run, controller::plan_kind const& kind) {
  return all.objects.listed ? kind.follow(all, run) : follow_through{.waits = true};
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* kind = find_plan(run.order.plan);
  if (!kind) return refused{{.class_ = failure_class::InvalidWork, .message = "No plan is called " + run.order.plan + "."}};
  if (!all.objects.listed) return until_listed();
  auto said = kind->prepare(all, run);
  if (auto* one = std::get_if<ready>(&said)) one->plan.start_within = one->plan.start_within.value_or(all.can.pod_start);
  return said;
}

std::optional<std::string> rests_already(cluster_view const& all, run_state const& run) {
  auto* kind = find_plan(run.order.plan);
  if (!kind || !kind->sharing_hooks) return {};
  auto sharing = kind->sharing_hooks(all, run);
  auto found = std::ranges::find_if(sharing, [&](auto* one) { return one->run != run.run && controller::has_hooks_left(*one); });
  return found == sharing.end() ? std::nullopt : std::optional((*found)->run);
}

run_state const* last_ended(cluster_view const& all, object_ref const& object) {
  auto* meta = controller::find_meta(all.objects, object.kind, {object.namespace_, object.name});
  if (!meta) return nullptr;
  run_state const* last = nullptr;
  auto consider = [&](run_state const* run) {
    auto& ref = run->order.object;
    bool tells = run->stage == run_stage::FollowThroughComplete && ref.kind == object.kind && ref.name == object.name;
    if (tells && (!last || controller::is_older(*last, *run))) last = run;
  };
  for (auto* system : systems())
    for (auto* kind : system->plans)
      if (kind->report) std::ranges::for_each(all.runs_of(meta->uid, kind->name), consider);
  return last;
}

namespace {

/// What the object requests for a run that ends together with its object.
std::optional<cancellation> ended_by_object(cluster_view const& all, run_state const& run) {
  auto& object = run.order.object;
  auto* meta = controller::find_meta(all.objects, object.kind, {object.namespace_, object.name});
  bool same = meta && controller::is_object_of(run, *meta);
  bool was_there = !object.uid.empty() || run.plan;  // false: the object has yet to be created
  bool gone = all.objects.listed && was_there && !same;
  if (gone || (same && meta->deletion_timestamp)) return cancellation{object.kind + " " + object.name + " was deleted"};
  auto why = same ? controller::lookup(meta->annotations, annotation::cancel_run) : std::string_view{};
  return why.empty() ? std::nullopt : std::optional(cancellation{std::string(why)});
}

}  // namespace

std::optional<cancellation> wants_cancel(cluster_view const& all, run_state const& run) {
  auto* kind = find_plan(run.order.plan);
  if (!kind) return {};
  auto ended = kind->ends_with_its_object ? ended_by_object(all, run) : std::nullopt;
  return ended || !kind->cancel ? ended : kind->cancel(all, run);
}

}  // namespace kopiur::mover_orchestration
