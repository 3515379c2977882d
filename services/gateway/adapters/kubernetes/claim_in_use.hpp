#pragma once
#include <algorithm>
#include <vector>

#include "services/gateway/adapters/kubernetes/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// The claim that a restore writes into; nullptr: it is no restore, or not into a claim.
template <class Command>
auto* target_of(Command& command) {
  auto target = std::ranges::find(command.volumes, "target", &proto::volume_use::name);
  auto* restores = std::get_if<proto::restore_work>(&command.work.task);
  return restores && !restores->dry_run && target != command.volumes.end() && !target->claim_name.empty() ? &*target : nullptr;
}

/// Those of a list of pods that have ended and mount the claim of that name: by them it is kept, though nothing of them runs.
std::vector<proto::object_ref> ended_pods(json::value pods, std::string_view claim_name);
/// Removes the pods of our runs that have ended and mount the claim, so that it can go.
awaitable<outcome<void>> free_of_pods(client& api, objects& all, object_key const& claim);

}  // namespace kopiur::gateway::kubernetes
