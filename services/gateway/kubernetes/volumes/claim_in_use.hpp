#pragma once
#include <algorithm>
#include <vector>

#include "services/gateway/kubernetes/objects/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// The claim whose content the Job writes; nullptr: none.
template <class Command>
auto* target_of(Command& command) {
  auto filled = std::ranges::find(command.volumes, true, &proto::volume_use::fills);
  return filled != command.volumes.end() && !filled->claim_name.empty() ? &*filled : nullptr;
}

/// The ended pods of a list that mount the claim of that name: they block its deletion, though nothing of them runs.
std::vector<proto::object_ref> ended_pods(json::value pods, std::string_view claim_name);
/// Deletes ended pods of kopiur's runs that mount the claim, so that the claim can be deleted.
awaitable<outcome<void>> free_of_pods(client& api, objects& all, object_key const& claim);

}  // namespace kopiur::gateway::kubernetes
