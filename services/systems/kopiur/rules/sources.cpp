#include "services/systems/kopiur/rules/sources.hpp"

#include <algorithm>

namespace kopiur::rules {

using namespace proto;

namespace {
std::string default_path(pvc_selector_source const& from, std::string const& ns, std::string const& claim) {
  return from.source_path_strategy == source_path_strategy::PVCNamespacedName ? "/pvc/" + ns + "/" + claim : "/pvc/" + claim;
}
}  // namespace

std::vector<source_now> sources_of(controller::objects const& all, backup_config const& config) {
  std::vector<source_now> found;
  auto& ns = config.metadata.namespace_;
  for (auto& source : config.spec.sources) {
    if (auto* one = std::get_if<pvc_source>(&source.from)) {
      found.push_back({one->name, source.source_path_override.value_or("/pvc/" + one->name)});
      continue;
    }
    auto& selector = std::get<pvc_selector_source>(source.from);
    for (auto& [key, claim] : controller::in_namespace(all.of<persistent_volume_claim>(), ns))
      if (auto& name = key.name; controller::matches(selector.label_selector, claim.metadata.labels))
        found.push_back({name, source.source_path_override.value_or(default_path(selector, ns, name))});
  }
  std::ranges::sort(found, {}, &source_now::path);
  return found;
}

bool selects_claims(backup_config const& config) {
  return std::ranges::any_of(config.spec.sources, [](auto& source) { return std::holds_alternative<pvc_selector_source>(source.from); });
}

}  // namespace kopiur::rules
