#include "services/mirror/core/sources.hpp"

#include <algorithm>

namespace kopiur::mirror {

using namespace proto;

namespace {
std::string default_path(pvc_selector_source const& from, std::string const& ns, std::string const& claim) {
  return from.source_path_strategy == source_path_strategy::PVCNamespacedName ? "/pvc/" + ns + "/" + claim : "/pvc/" + claim;
}
}  // namespace

std::vector<source_now> sources_of(objects const& all, backup_config const& config) {
  std::vector<source_now> found;
  auto& ns = config.metadata.namespace_;
  for (auto& source : config.spec.sources) {
    if (auto* one = std::get_if<pvc_source>(&source.from)) {
      found.push_back({one->name, source.source_path_override.value_or("/pvc/" + one->name)});
      continue;
    }
    auto& selector = std::get<pvc_selector_source>(source.from);
    for (auto& [key, claim] : all.claims)
      if (key.namespace_ == ns && matches(selector.label_selector, claim.metadata.labels))
        found.push_back({key.name, source.source_path_override.value_or(default_path(selector, ns, key.name))});
  }
  std::ranges::sort(found, {}, &source_now::path);
  return found;
}

}  // namespace kopiur::mirror
