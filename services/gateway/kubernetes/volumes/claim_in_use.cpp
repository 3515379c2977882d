#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"

#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;

std::vector<proto::object_ref> ended_pods(value pods, std::string_view claim_name) {
  std::vector<proto::object_ref> ended;
  for (auto const& pod : items_of(std::move(pods)))
    if (has_ended(pod) && mounts(pod, claim_name)) ended.push_back(ref_of_pod(pod));
  return ended;
}

awaitable<outcome<void>> free_of_pods(client& api, objects& all, object_key const& claim) {
  auto pods = co_await api.ask({.path = path_of(*resource_of("Pod"), claim.namespace_), .query = {{"labelSelector", ours("run")}}});
  if (!pods) co_return refused(pods.error());
  for (auto& each : ended_pods(std::move(*pods), claim.name))
    if (auto gone = co_await all.remove({.object = std::move(each), .annotations = {}}); !gone) co_return std::unexpected(gone.error());
  co_return outcome<void>();
}

}  // namespace kopiur::gateway::kubernetes
