#pragma once
#include <algorithm>
#include <vector>

#include "services/gateway/kubernetes/objects/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// The claim that a restore writes into; nullptr: the command is not a restore, or not into a claim.
template <class Command>
auto* target_of(Command& command) {
  auto target = std::ranges::find(command.volumes, "target", &proto::volume_use::name);
  auto* restores = std::get_if<proto::restore_work>(&command.work.task);
  return restores && !restores->dry_run && target != command.volumes.end() && !target->claim_name.empty() ? &*target : nullptr;
}

/// The ended pods of a list that mount the claim of that name: they block its deletion, though nothing of them runs.
std::vector<proto::object_ref> ended_pods(json::value pods, std::string_view claim_name);
/// Deletes ended pods of kopiur's runs that mount the claim, so that the claim can be deleted.
awaitable<outcome<void>> free_of_pods(client& api, objects& all, object_key const& claim);

}  // namespace kopiur::gateway::kubernetes
