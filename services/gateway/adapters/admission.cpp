#include "services/gateway/adapters/admission.hpp"

#include <algorithm>
#include <array>

#include "proto/codec.hpp"
#include "proto/examine.hpp"
#include "proto/kinds/names.hpp"
#include "proto/subjects.hpp"
#include "services/systems/kopiur/rules/neighbours.hpp"

namespace kopiur::gateway {

namespace {

bool is_examined(json::value const& manifest) {
  static constexpr std::array<std::string_view, 5> core{"PersistentVolume", "PersistentVolumeClaim", "Secret", "ConfigMap", "Namespace"};
  auto version = manifest.text("apiVersion");
  if (version == "v1") return std::ranges::find(core, manifest.text("kind")) != core.end();
  return version.substr(0, version.find('/')) == proto::api_group;
}

controller::objects sight_of(object_map const& there) {
  controller::objects all;
  for (auto const& [key, object] : there) {
    auto body = json::dump(object);
    if (!controller::apply(all, proto::subjects::resource("local", key.kind, key.namespace_, key.name), &body))
      continue;  // told when it was taken
  }
  return all;
}

/// What the objects beside it mean for the manifest as a T, where it is one.
template <class T>
verdict judged(json::value const& manifest, object_map const& there) {
  auto wanted = json::decode<T>(manifest);
  if (!wanted) return {};
  if (wanted->metadata.namespace_.empty()) wanted->metadata.namespace_ = "default";
  auto all = sight_of(there);
  auto listed = [](std::optional<rules::objection> const& what) {
    return what ? std::vector<finding>{{what->field, what->message}} : std::vector<finding>{};
  };
  verdict said{.faults = {}, .warnings = listed(rules::missing_beside(all, *wanted))};
  if constexpr (requires { rules::objection_to(all, *wanted); }) said.faults = listed(rules::objection_to(all, *wanted));
  return said;
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

verdict beside(json::value const& manifest, object_map const& there) {
  auto kind = manifest.text("kind");
  if (kind == "BackupConfig") return judged<proto::backup_config>(manifest, there);
  if (kind == "BackupSchedule") return judged<proto::backup_schedule>(manifest, there);
  if (kind == "Maintenance") return judged<proto::maintenance>(manifest, there);
  if (kind == "Restore") return judged<proto::restore>(manifest, there);
  return {};
}

}  // namespace kopiur::gateway
