#include "services/gateway/adapters/local/admission.hpp"

#include <algorithm>
#include <array>

#include "proto/examine.hpp"
#include "proto/kinds/names.hpp"

namespace kopiur::gateway::local {

namespace {

bool is_examined(json::value const& manifest) {
  static constexpr std::array<std::string_view, 5> core{"PersistentVolume", "PersistentVolumeClaim", "Secret", "ConfigMap", "Namespace"};
  auto version = manifest.text("apiVersion");
  if (version == "v1") return std::ranges::find(core, manifest.text("kind")) != core.end();
  return version.substr(0, version.find('/')) == proto::api_group;
}

}  // namespace

std::vector<finding> admission(json::value const& manifest, json::value const* current) {
  std::vector<finding> all;
  if (!is_examined(manifest)) return all;
  for (auto& each : proto::examine(manifest, current))
    all.push_back({each.path, each.message + (each.hint.empty() ? "" : " " + each.hint)});
  return all;
}

}  // namespace kopiur::gateway::local
