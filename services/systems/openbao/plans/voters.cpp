#include "services/systems/openbao/plans/voters.hpp"

#include "services/controller/core/recent_looks.hpp"

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

namespace {

constexpr duration look_every = 10s;
constexpr std::string_view pod_kind = "Pod", after_restart = "restarted";

bool is_ready(json::value const& pod) {
  auto* conditions = pod.at("status.conditions");
  if (!conditions || !conditions->as_array() || pod.at("metadata.deletionTimestamp")) return false;
  for (auto& each : *conditions->as_array())
    if (each.text("type") == "Ready") return each.text("status") == "True";
  return false;
}

settling waiting(std::string message, std::vector<ask> asks = {}) {
  return {.reason = "RestartingVoters", .message = std::move(message) + " The lock is kept until then.", .asks = std::move(asks)};
}

/// One after the other, each once: a pod that was created after the Job had ended is a restarted one.
settling restart(cluster_view const& all, run_state const& restore, openbao_cluster const& cluster) {
  recent_looks looks(all, restore.run, look_every);
  for (auto ordinal = cluster.spec.replicas; ordinal-- > 0;) {
    object_ref pod{std::string(pod_kind), cluster.metadata.namespace_, stateful_set_of(cluster) + "-" + std::to_string(ordinal), {}};
    std::vector<ask> asks;
    auto* said = looks.take(pod.name, read_object{pod}, asks);
    auto* there = said && said->code == answer_code::Ok && said->object ? &*said->object : nullptr;
    if (!there) return waiting("The pod " + pod.name + " is being looked at.", std::move(asks));
    auto created = instant_from(there->text("metadata.creationTimestamp"));
    bool is_old = !created || *created <= restore.observed_at.value_or(restore.changed_at);
    pod.uid = there->text("metadata.uid");
    if (is_old && !there->at("metadata.deletionTimestamp"))
      asks.push_back({gateway_command{delete_object{.object = pod, .annotations = {}}}, restore.run + "-restart-" + pod.uid});
    if (is_old) return waiting("The pod " + pod.name + " is being restarted.", std::move(asks));
    if (!is_ready(*there))
      return waiting("The pod " + pod.name + " was restarted; waiting until it is ready. Unseal it if it is sealed.", std::move(asks));
  }
  return {.is_done = true};
}

}  // namespace

bool was_brought_back(cluster_view const& all, run_state const& restore) {
  return settle(all, restore).is_done && (!all.can.restart_voters || settle(all, restore, after_restart).is_done);
}

settling bring_back(cluster_view const& all, run_state const& restore) {
  auto first = settle(all, restore);
  if (!first.is_done || !all.can.restart_voters) return first;
  auto cluster = target_of(all.objects, restore);
  if (!cluster || !*cluster) return first;
  auto restarted = restart(all, restore, **cluster);
  return restarted.is_done ? settle(all, restore, after_restart) : restarted;
}

}  // namespace kopiur::openbao
