#pragma once
#include <vector>

#include "services/gateway/adapters/kubernetes/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// Those of a list of pods that have ended and mount the claim of that name: by them it is kept, though nothing of them runs.
std::vector<proto::object_ref> ended_pods(json::value pods, std::string_view claim_name);
/// Removes the pods of our runs that have ended and mount the claim, so that it can go.
awaitable<outcome<void>> free_of_pods(client& api, objects& all, object_key const& claim);

}  // namespace kopiur::gateway::kubernetes
