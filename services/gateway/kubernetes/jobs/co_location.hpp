#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"
#include "services/gateway/kubernetes/objects/shared_answers.hpp"

/// A ReadWriteOnce volume is on one node at a time: a mover that mounts a volume in use has to run on that node.
namespace kopiur::gateway::kubernetes {

/// A restore into a claim that a user's pod uses would change that pod's files: Unavailable, with a sentence, while there is such a pod.
/// Pods without a node, and ended pods, use nothing; leases exclude movers from each other. decisions.md section 6.
outcome<void> free_to_fill(std::string_view claim, json::array const& pods);
/// Where a mover has to run.
struct placement {
  std::vector<std::string> nodes;  ///< on one of these; none: anywhere
  json::array tolerations{};       ///< those of the pods that use the volume, so that the mover may run on their node
};
/// Where the mover of `run` has to run, by the pods that use its claims now. Pods without a node, and ended pods, use nothing. Invalid,
/// with guidance, when there can be no node: a claim is ReadWriteOncePod and a pod uses it, or two claims are on different nodes.
/// Unavailable when only movers of kopiur prevent it now.
outcome<placement> placement_for(json::array const& claims, json::array const& pods, std::string_view run);
/// Required node affinity; the scheduler still checks everything else. By the node's name, not its label `kubernetes.io/hostname`: the two
/// may differ, and pods contain the name.
json::value affinity_to(std::vector<std::string> const& nodes);

/// A claim, when it is known without a request.
using known_claim = std::function<std::optional<json::value>(object_key const&)>;
/// The claim, known or read; null: it does not exist.
awaitable<outcome<json::value>> claim_at(client& api, known_claim const& known, object_key key);
/// placement_for() for a Job that is about to be created, by a list of its namespace's pods that have a node and have not ended; no list is
/// requested when no claim needs it. The list may be some milliseconds old: any list misses a pod that is created a moment later.
awaitable<outcome<placement>> placement_for(client& api, known_claim const& known, shared_answers<std::string, json::array>& pods_on_nodes,
                                            proto::create_job const& command);
/// free_to_fill() for a restore's target, by a live list; no request for other commands.
awaitable<outcome<void>> free_to_fill(shared_answers<std::string, json::array>& pods_on_nodes, proto::create_job const& command);

}  // namespace kopiur::gateway::kubernetes
