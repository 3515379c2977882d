#include "services/retention/core/concern.hpp"

namespace kopiur::retention {

using namespace proto;

namespace {

std::vector<object_key> configs_of_namespace(controller::objects const& all, std::string const& ns) {
  std::vector<object_key> keys;
  for (auto& [key, _] : all.of<backup_config>())
    if (key.namespace_ == ns) keys.push_back(key_to<backup_config>(key.namespace_, key.name));
  return keys;
}

}  // namespace

std::vector<object_key> concerned_by(controller::objects const& all, object_ref const& changed) {
  auto& [kind, ns, name, _] = changed;
  if (kind == backup_config::info.kind || kind == backup_schedule::info.kind) return {key_of(changed)};
  if (kind == restore::info.kind) return configs_of_namespace(all, ns);  // it may have released a snapshot
  if (kind != backup::info.kind) return {};
  auto* one = controller::find(all.of<backup>(), ns, name);
  if (!one) return configs_of_namespace(all, ns);  // deleted, so its config is unknown
  std::vector<object_key> keys;
  if (one->spec.config_ref) keys.push_back(key_to<backup_config>(ns, one->spec.config_ref->name));
  auto schedule = controller::lookup(one->metadata.labels, label::backup_schedule);
  if (!schedule.empty()) keys.push_back(key_to<backup_schedule>(ns, std::string(schedule)));
  return keys;
}

}  // namespace kopiur::retention
