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

/// What `look` finds of the manifest as a T, where it is one.
template <class T>
std::vector<finding> seen(json::value const& manifest, object_map const& there, auto look) {
  auto wanted = json::decode<T>(manifest);
  if (!wanted) return {};
  if (wanted->metadata.namespace_.empty()) wanted->metadata.namespace_ = "default";
  auto what = look(sight_of(there), *wanted);
  return what ? std::vector<finding>{{what->field, what->message}} : std::vector<finding>{};
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

bool looks_beside(json::value const& manifest) {
  static constexpr std::array<std::string_view, 4> kinds{"BackupConfig", "BackupSchedule", "Maintenance", "Restore"};
  return std::ranges::find(kinds, manifest.text("kind")) != kinds.end();
}

std::vector<finding> beside(json::value const& manifest, object_map const& there) {
  auto kind = manifest.text("kind");
  auto objects_to = [](mirror::objects const& all, auto const& wanted) { return mirror::objection_to(all, wanted); };
  if (kind == "BackupConfig") return seen<proto::backup_config>(manifest, there, objects_to);
  if (kind == "Maintenance") return seen<proto::maintenance>(manifest, there, objects_to);
  if (kind == "Restore") return seen<proto::restore>(manifest, there, objects_to);
  return {};
}

std::vector<finding> missing_beside(json::value const& manifest, object_map const& there) {
  auto kind = manifest.text("kind");
  auto lacks = [](mirror::objects const& all, auto const& wanted) { return mirror::missing_beside(all, wanted); };
  if (kind == "BackupConfig") return seen<proto::backup_config>(manifest, there, lacks);
  if (kind == "BackupSchedule") return seen<proto::backup_schedule>(manifest, there, lacks);
  if (kind == "Maintenance") return seen<proto::maintenance>(manifest, there, lacks);
  if (kind == "Restore") return seen<proto::restore>(manifest, there, lacks);
  return {};
}

}  // namespace kopiur::gateway
