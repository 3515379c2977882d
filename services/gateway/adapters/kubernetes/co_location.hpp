#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"
#include "services/gateway/adapters/kubernetes/shared_answers.hpp"
#include "services/gateway/core/names.hpp"

/// A volume that is ReadWriteOnce is on one node at a time: a mover that mounts one which is in use has to run where it is.
namespace kopiur::gateway::kubernetes {

/// A restore into a claim that somebody's pod uses would change the files under it: Unavailable, with a sentence, while one does. Pods that
/// are on no node, or have ended, use nothing; movers of ours exclude each other by their leases. decisions.md section 6.
outcome<void> free_to_fill(std::string_view claim, json::array const& pods);
/// Where a mover has to run.
struct placement {
  std::vector<std::string> nodes;  ///< on one of these; none: anywhere
  json::array tolerations{};       ///< those of the pods that are there: who may use the volume there may be backed up there
};
/// Where the mover of `run` has to run, by the pods that use its claims now. Pods that are on no node, or have ended, use nothing. Refused
/// (Invalid, with guidance) where it could never be: a claim is ReadWriteOncePod and some pod has it, or
/// two claims are on different nodes. Unavailable where it can, later: only movers of ours hold it up.
outcome<placement> place_for(json::array const& claims, json::array const& pods, std::string_view run);
/// Required of the scheduler, which goes on checking all else. By the node's name, not its label `kubernetes.io/hostname`: the two are not
/// the same everywhere, and pods say the name.
json::value affinity_to(std::vector<std::string> const& nodes);

/// A claim, where it is known without asking.
using known_claim = std::function<std::optional<json::value>(object_key const&)>;
/// The claim, known or asked for; null: it is not there.
awaitable<outcome<json::value>> claim_at(client& api, known_claim const& known, object_key key);
/// place_for() a Job that is about to be made, by a list of its namespace's pods that are on nodes and have not ended; none is asked for
/// where no claim needs it. It may be some milliseconds old: a pod that comes a moment later is missed by any list.
awaitable<outcome<placement>> place_for(client& api, known_claim const& known, shared_answers<std::string, json::array>& pods_on_nodes,
                                        proto::create_job const& command);
/// free_to_fill() a restore's target, by a live list; of all else nothing is asked.
awaitable<outcome<void>> free_to_fill(shared_answers<std::string, json::array>& pods_on_nodes, proto::create_job const& command);

}  // namespace kopiur::gateway::kubernetes
