#include "services/gateway/kubernetes/objects/pod.hpp"

#include <algorithm>

namespace kopiur::gateway::kubernetes {

using json::value;

value const* first_of(value const* list) {
  auto* items = list ? list->as_array() : nullptr;
  return items && !items->empty() ? &items->front() : nullptr;
}

value const* condition(value const& object, std::string_view type, std::string_view status) {
  auto* all = object.at("status.conditions");
  if (!all || !all->as_array()) return nullptr;
  for (auto const& each : *all->as_array())
    if (each.text("type") == type && each.text("status") == status) return &each;
  return nullptr;
}

bool has_ended(value const& pod) {
  auto phase = pod.text("status.phase");
  return phase == "Succeeded" || phase == "Failed";
}

proto::object_ref ref_of_pod(value const& pod) {
  auto text = [&](char const* field) { return std::string(pod.text(field)); };
  return {"Pod", text("metadata.namespace"), text("metadata.name"), text("metadata.uid")};
}

bool mounts(value const& pod, std::string_view claim) {
  auto* volumes = pod.at("spec.volumes");
  return volumes && volumes->as_array() && std::ranges::any_of(*volumes->as_array(), [&](value const& each) {
           return each.text("persistentVolumeClaim.claimName") == claim;
         });
}

}  // namespace kopiur::gateway::kubernetes
