#include "services/gateway/adapters/admission.hpp"

#include <algorithm>
#include <array>

#include "proto/codec.hpp"
#include "proto/examine.hpp"
#include "proto/kinds/names.hpp"
#include "proto/subjects.hpp"
#include "services/mirror/core/neighbours.hpp"

namespace kopiur::gateway {

namespace {

bool is_examined(json::value const& manifest) {
  static constexpr std::array<std::string_view, 5> core{"PersistentVolume", "PersistentVolumeClaim", "Secret", "ConfigMap", "Namespace"};
  auto version = manifest.text("apiVersion");
  if (version == "v1") return std::ranges::find(core, manifest.text("kind")) != core.end();
  return version.substr(0, version.find('/')) == proto::api_group;
}

mirror::objects sight_of(object_map const& there) {
  mirror::objects all;
  for (auto const& [key, object] : there) {
    auto body = json::dump(object);
    if (!mirror::apply(all, proto::subjects::resource("local", key.kind, key.namespace_, key.name), &body))
      continue;  // told when it was taken
  }
  return all;
}

template <class T>
void add_objection(json::value const& manifest, object_map const& there, std::vector<finding>& to) {
  auto wanted = json::decode<T>(manifest);
  if (!wanted) return;
  if (wanted->metadata.namespace_.empty()) wanted->metadata.namespace_ = "default";
  if (auto no = mirror::objection_to(sight_of(there), *wanted)) to.push_back({no->field, no->message});
}

}  // namespace

std::string listing(std::vector<finding> const& wrong) {
  std::string text;
  for (auto const& one : wrong) text += (text.empty() ? "" : "; ") + (one.field.empty() ? "" : one.field + ": ") + one.message;
  return text;
}

std::vector<finding> admission(json::value const& manifest, json::value const* current) {
  std::vector<finding> all;
  if (!is_examined(manifest)) return all;
  for (auto& each : proto::examine(manifest, current))
    all.push_back({each.path, each.message + (each.hint.empty() ? "" : " " + each.hint)});
  return all;
}

bool looks_beside(json::value const& manifest) { return manifest.text("kind") == "BackupConfig" || manifest.text("kind") == "Maintenance"; }

std::vector<finding> beside(json::value const& manifest, object_map const& there) {
  std::vector<finding> all;
  if (manifest.text("kind") == "BackupConfig") add_objection<proto::backup_config>(manifest, there, all);
  if (manifest.text("kind") == "Maintenance") add_objection<proto::maintenance>(manifest, there, all);
  return all;
}

}  // namespace kopiur::gateway
