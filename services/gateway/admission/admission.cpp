#include "services/gateway/admission/admission.hpp"

#include <algorithm>

#include "proto/examine.hpp"
#include "proto/kinds.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::gateway {

namespace {

/// A foreign kind shows that a group is somebody else's: of that only our own kinds are examined, elsewhere an unknown kind is an error.
bool is_shared(std::string_view group) {
  return std::ranges::any_of(proto::infos_of(proto::foreign_kinds{}), [&](auto& one) { return proto::group_of(one) == group; });
}

bool is_examined(json::value const& manifest) {
  static constexpr auto core = proto::infos_of(proto::core_kinds{});
  auto version = manifest.text("apiVersion"), kind = manifest.text("kind");
  if (version == "v1") return std::ranges::find(core, kind, &proto::kind_info::kind) != core.end();
  auto group = version.substr(0, version.find('/'));
  auto is_of_it = [&](proto::kind_info const& one) { return proto::group_of(one) == group && (one.kind == kind || !is_shared(group)); };
  return std::ranges::any_of(proto::infos_of(proto::own_kinds{}), is_of_it);
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

verdict beside(json::value const& manifest, controller::objects const& there, json::value const* current,
               controller::configurations const& configurations) {
  for (auto* system : systems()) {
    if (!system->judges(manifest.text("kind"))) continue;
    auto config = controller::configuration_of(configurations, system->name);
    return system->judge({.manifest = manifest, .current = current, .beside = there, .config = config.get()});
  }
  return {};
}

}  // namespace kopiur::gateway
