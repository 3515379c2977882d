#include "services/gateway/kubernetes/jobs/co_location.hpp"

#include <algorithm>
#include <set>

#include "proto/core/kubernetes.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"
#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"

namespace kopiur::gateway::kubernetes {

using json::array;
using json::object;
using json::value;
using proto::answer_code;

namespace {

enum class sharing { Anywhere, OneNode, OnePod };

/// From the bound volume, if any: it may allow more than the claim requested.
sharing sharing_of(value const& claim) {
  auto* modes = claim.at("status.accessModes");
  if (!modes || !modes->as_array() || modes->as_array()->empty()) modes = claim.at("spec.accessModes");
  if (!modes || !modes->as_array()) return sharing::Anywhere;
  auto has = [&](std::string_view mode) { return std::ranges::find(*modes->as_array(), value(mode)) != modes->as_array()->end(); };
  if (has("ReadWriteMany") || has("ReadOnlyMany")) return sharing::Anywhere;
  return has("ReadWriteOncePod") ? sharing::OnePod : sharing::OneNode;
}

/// Also while it terminates: its volumes stay mounted until it has ended.
bool is_on_a_node(value const& pod) { return !pod.text("spec.nodeName").empty() && !has_ended(pod); }

/// The pods that use a claim.
struct holders {
  std::string claim;
  std::set<std::string> nodes;
  array tolerations;        // of all of them
  std::string pod;          // one of them; preferably not a mover
  bool movers_only = true;  // movers end by themselves
};

void add_new(array& array, value const* list) {
  if (!list || !list->as_array()) return;
  for (auto const& each : *list->as_array())
    if (std::ranges::find(array, each) == array.end()) array.push_back(each);
}

holders holders_of(std::string_view claim, array const& pods, std::string_view run) {
  holders found{.claim = std::string(claim), .nodes = {}, .tolerations = {}, .pod = {}};
  for (auto const& each : pods) {
    if (!is_on_a_node(each) || !mounts(each, claim) || label(each, ours("run")) == run) continue;
    bool is_mover = !label(each, ours("run")).empty();
    if (found.pod.empty() || (found.movers_only && !is_mover)) found.pod = each.text("metadata.name");
    found.movers_only = found.movers_only && is_mover;
    found.nodes.emplace(each.text("spec.nodeName"));
    add_new(found.tolerations, each.at("spec.tolerations"));
  }
  return found;
}

std::unexpected<refusal> refuse_for(bool passes, std::string message) {
  return refuse(passes ? answer_code::Unavailable : answer_code::Invalid, std::move(message));
}

}  // namespace

outcome<void> free_to_fill(std::string_view claim, array const& pods) {
  for (auto const& each : pods)
    if (is_on_a_node(each) && mounts(each, claim) && label(each, ours("run")).empty())
      return refuse(answer_code::Unavailable, "the pod " + std::string(each.text("metadata.name")) + " uses the claim " +
                                                  std::string(claim) +
                                                  " (TargetInUse), and the restore would change its files under it. Stop that pod: scale "
                                                  "its workload to 0.");
  return {};
}

outcome<placement> placement_for(array const& claims, array const& pods, std::string_view run) {
  std::optional<holders> fixed;
  for (auto const& claim : claims) {
    auto mode = sharing_of(claim);
    auto by = mode == sharing::Anywhere ? holders{} : holders_of(claim.text("metadata.name"), pods, run);
    if (by.nodes.empty()) continue;
    if (mode == sharing::OnePod)
      return refuse_for(by.movers_only, "The claim " + by.claim + " is ReadWriteOncePod, and the pod " + by.pod +
                                            " has it: stop that, or back up by copyMethod Snapshot or Clone.");
    if (!fixed) {
      fixed = std::move(by);
      continue;
    }
    std::set<std::string> both;
    std::ranges::set_intersection(fixed->nodes, by.nodes, std::inserter(both, both.end()));
    if (both.empty())
      return refuse_for(fixed->movers_only || by.movers_only,
                        "The claims " + fixed->claim + " and " + by.claim +
                            " are ReadWriteOnce and in use on different nodes, by the pods " + fixed->pod + " (" + *fixed->nodes.begin() +
                            ") and " + by.pod + " (" + *by.nodes.begin() +
                            "): no mover can have both. Bring those together, or back up by copyMethod Snapshot or Clone.");
    fixed->nodes = std::move(both);
    auto more = json::value(std::move(by.tolerations));
    add_new(fixed->tolerations, &more);
  }
  if (!fixed) return placement();
  return placement{{fixed->nodes.begin(), fixed->nodes.end()}, std::move(fixed->tolerations)};
}

value affinity_to(std::vector<std::string> const& nodes) {
  auto terms = value::make_array();
  for (auto const& node : nodes) {
    value field = object{{"key", "metadata.name"}, {"operator", "In"}, {"values", array{node}}};
    terms.push(object{{"matchFields", array{std::move(field)}}});
  }
  value required = object{{"requiredDuringSchedulingIgnoredDuringExecution", object{{"nodeSelectorTerms", std::move(terms)}}}};
  return object{{"nodeAffinity", std::move(required)}};
}

awaitable<outcome<value>> claim_at(client& api, known_claim const& known, object_key key) {
  if (auto claim = known ? known(key) : std::nullopt) co_return std::move(*claim);
  auto there = co_await api.ask({.path = path_of(*resource_of(key.kind), key)});
  if (!there && there.error().code == failure::not_found) co_return value();
  if (!there) co_return refused(there.error());
  co_return std::move(*there);
}

awaitable<outcome<placement>> placement_for(client& api, known_claim const& known, shared_answers<std::string, array>& pods_on_nodes,
                                            proto::create_job const& command) {
  array claims;
  for (auto const& use : command.volumes) {
    if (use.claim_name.empty()) continue;
    auto claim = co_await claim_at(api, known, key_to<proto::persistent_volume_claim>(command.namespace_, use.claim_name));
    if (!claim) co_return std::unexpected(claim.error());
    if (claim->is_null()) continue;  // its pod waits for it, and reports that
    if (sharing_of(*claim) != sharing::Anywhere) claims.push_back(std::move(*claim));
  }
  if (claims.empty()) co_return placement();
  auto pods = co_await pods_on_nodes.of(command.namespace_);
  if (!pods) co_return std::unexpected(pods.error());
  co_return placement_for(claims, **pods, command.run);
}

awaitable<outcome<void>> free_to_fill(shared_answers<std::string, array>& pods_on_nodes, proto::create_job const& command) {
  auto* target = target_of(command);
  if (!target) co_return outcome<void>();
  auto pods = co_await pods_on_nodes.of(command.namespace_);
  if (!pods) co_return std::unexpected(pods.error());
  co_return free_to_fill(target->claim_name, **pods);
}

}  // namespace kopiur::gateway::kubernetes
