#include "services/gateway/admission/decoded_objects.hpp"

#include "proto/kinds.hpp"
#include "proto/subjects.hpp"

namespace kopiur::gateway {

namespace {

bool is_decoded(std::string_view kind) {
  return proto::visit_kind(controller::manifest_kinds{}, kind, [](auto) { return true; }, false);
}

/// A Backup of which no more is known than its config.
std::string body_of(std::string const& ns, std::string const& name, std::string const& config) {
  json::value metadata = json::object{{"name", name}, {"namespace", ns}};
  json::value spec = json::object{{"configRef", json::object{{"name", config}}}};
  return json::dump(json::object{
      {"apiVersion", ours("v1alpha1")}, {"kind", proto::backup::info.kind}, {"metadata", std::move(metadata)}, {"spec", std::move(spec)}});
}

std::string first_of(std::set<std::string> const& names) { return names.empty() ? std::string() : *names.begin(); }

}  // namespace

void decoded_objects::show(object_key const& key, std::string const* body) {
  (void)controller::apply(objects_, proto::subjects::resource("local", key.kind, key.namespace_, key.name), body);
}

void decoded_objects::take(json::value const& object) {
  auto key = key_of(object);
  if (key.kind == proto::backup::info.kind) return move_backup(key, std::string(object.text("spec.configRef.name")));
  if (!is_decoded(key.kind)) return;
  auto body = json::dump(object);
  show(key, &body);
}

void decoded_objects::drop(object_key const& key) {
  if (key.kind == proto::backup::info.kind) return move_backup(key, {});
  if (is_decoded(key.kind)) show(key, nullptr);
}

/// `config`: empty: it has none, or is gone.
void decoded_objects::move_backup(object_key const& key, std::string config) {
  controller::name_key backup{key.namespace_, key.name};
  auto known = config_of_.find(backup);
  if (known != config_of_.end() ? known->second == config : config.empty()) return;
  if (known != config_of_.end()) {
    config_key former{key.namespace_, known->second};
    config_of_.erase(known);
    auto& names = backups_of_.at(former);
    auto first = first_of(names);
    names.erase(key.name);
    show_first_of(former, first);
  }
  if (config.empty()) return;
  config_key owner{key.namespace_, config};
  config_of_.emplace(std::move(backup), std::move(config));
  auto& names = backups_of_[owner];
  auto first = first_of(names);
  names.insert(key.name);
  show_first_of(owner, first);
}

void decoded_objects::show_first_of(config_key const& config, std::string const& former) {
  auto found = backups_of_.find(config);
  auto first = first_of(found->second);
  if (found->second.empty()) backups_of_.erase(found);
  if (first == former) return;
  auto backup = [&](std::string const& name) { return object_key{std::string(proto::backup::info.kind), config.namespace_, name}; };
  if (!former.empty()) show(backup(former), nullptr);
  if (first.empty()) return;
  auto body = body_of(config.namespace_, first, config.name);
  show(backup(first), &body);
}

}  // namespace kopiur::gateway
