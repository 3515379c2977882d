#include "e2e/systems/toy/system.hpp"

#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"
#include "services/controller/core/run_facts.hpp"

/// One plan with one plain container: it prints the text of an Echo, and its termination message becomes the object's status.
namespace kopiur {
namespace {

using namespace proto;
using namespace controller;

std::string run_of(object_meta const& meta) { return "echo-" + meta.uid; }

echo const* find_echo(cluster_view const& all, object_ref const& object) {
  auto* found = object.kind == echo::info.kind ? find(all.objects.of<echo>(), object.namespace_, object.name) : nullptr;
  return found && !found->metadata.deletion_timestamp ? found : nullptr;
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* object = find_echo(all, run.order.object);
  if (!object) return refused{failure(failure_class::InvalidWork, "Echo " + run.order.object.name + " no longer exists.")};
  run_plan plan{.deadline = std::chrono::hours(1), .serves = {ref_of(*object)}, .namespace_ = object->metadata.namespace_};
  plan.body = pod_plan{.main = {.name = "echo", .image = "echo", .env = {{"ECHO", object->spec.text}}}, .result = pod_result::Text};
  plan.pod = pod_options{.volumes = volume_group::Always};
  return ready{std::move(plan)};
}

std::vector<object_status> report(cluster_view const& all, run_state const& run) {
  auto* object = find_echo(all, run.order.object);
  if (!object || run.order.object.uid != object->metadata.uid) return {};
  bool over = is_terminal(run.stage), good = run.outcome == run_outcome::Succeeded;
  echo_status status{.phase = !over ? echo_phase::Pending : good ? echo_phase::Succeeded : echo_phase::Failed};
  auto* result = over && run.result ? run.result->as<pod_report>() : nullptr;
  if (result && good) status.said = result->text;
  auto said = run.failure ? run.failure->message : run.waits ? run.waits->message : std::string();
  auto word = std::string(json::to_text(*status.phase));
  return {{run.order.object, status_fragment{.uid = object->metadata.uid,
                                             .observed_generation = object->metadata.generation,
                                             .status = json::encode(status),
                                             .conditions = {controller::condition("Ready", good, word, said)}}}};
}

plan_kind const echo_plan{.name = "echo", .prepare = prepare, .report = report, .ends_with_its_object = true};
constexpr plan_kind const* plans[] = {&echo_plan};

/// An Echo prints once; its status shows that, also when the bus has lost the run.
actions reconcile(cluster_view const& all, object_ref const& changed) {
  actions needs;
  auto* object = find_echo(all, changed);
  bool done = object && object->status.phase && *object->status.phase != echo_phase::Pending;
  if (object && !done && !all.run(run_of(object->metadata)))
    needs.orders.push_back({.id = run_of(object->metadata), .order = {.plan = std::string(echo_plan.name), .object = ref_of(*object)}});
  return needs;
}

effects affected_by(objects const&, object_ref const& changed) {
  return changed.kind == echo::info.kind ? effects{.at_once = {changed}} : effects{};
}

std::vector<resync_item> resync(objects const& all) {
  std::vector<resync_item> items;
  for (auto& [_, one] : all.of<echo>()) items.push_back({ref_of(one)});
  return items;
}

}  // namespace

controller::system const toy_system{.name = "toy", .plans = plans, .reconcile = reconcile, .resync = resync, .affected_by = affected_by};

}  // namespace kopiur
