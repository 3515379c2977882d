#include "services/gateway/core/seals.hpp"

#include <algorithm>

#include "proto/kopiur/reserved_names.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/seal.hpp"

namespace kopiur::gateway {

namespace {

/// What a seal covers in addition to kind, namespace and name. An annotation's name and a uid contain no line break.
std::string text_of(std::string_view uid, std::string_view name, std::string_view mark) {
  return std::string(uid) + "\n" + std::string(name) + "\n" + std::string(mark);
}

bool is_seal(std::string_view name) { return name.starts_with(proto::seal_name("")) && proto::is_reserved(name); }
bool is_unproven(std::string_view name) { return name.starts_with(proto::unproven_name("")) && proto::is_reserved(name); }

}  // namespace

void seals::put(std::map<std::string, std::string>& annotations, proto::object_ref const& object) const {
  std::map<std::string, std::string> fresh;
  for (auto& [name, mark] : annotations)
    if (proto::is_mark(name))
      fresh[proto::seal_name(name)] = seal_of(secret_, {object.kind, object.namespace_, object.name}, text_of(object.uid, name, mark));
  annotations.merge(fresh);
}

void seals::put(proto::patch_metadata& command) const {
  if (!command.object.uid.empty()) put(command.annotations, command.object);
}

void seals::put(proto::delete_object& command) const {
  if (!command.object.uid.empty()) put(command.annotations, command.object);
}

void seals::put_on_new(json::value& manifest) const {
  auto mark = std::string(annotation(manifest, proto::annotation::made_for));
  if (mark.empty()) return;
  auto seal = seal_of(secret_, key_of(manifest), text_of("", proto::annotation::made_for, mark));
  manifest.find("metadata")->find("annotations")->set(proto::seal_name(proto::annotation::made_for), std::move(seal));
}

bool seals::proves(json::value const& object, std::string_view name, std::string_view mark) const {
  auto seal = annotation(object, proto::seal_name(name));
  if (seal.empty()) return false;
  if (is_sealed(seal, secret_, key_of(object), text_of(uid_of(object), name, mark))) return true;
  return name == proto::annotation::made_for && is_sealed(seal, secret_, key_of(object), text_of("", name, mark));
}

json::value seals::judged(json::value object) const {
  if (!is_marked(object)) return object;
  json::object seen;
  for (auto& [name, mark] : *object.at("metadata.annotations")->as_object()) {
    if (is_seal(name) || is_unproven(name)) continue;
    bool doubtful = proto::is_mark(name) && !proves(object, name, annotation(object, name));
    seen.emplace_back(doubtful ? proto::unproven_name(name) : name, mark);
  }
  object.find("metadata")->set("annotations", std::move(seen));
  return object;
}

bool is_marked(json::value const& object) {
  auto* annotations = object.at("metadata.annotations");
  auto* all = annotations ? annotations->as_object() : nullptr;
  return all && std::ranges::any_of(*all, [](json::member const& one) {
           return proto::is_mark(one.first) || is_seal(one.first) || is_unproven(one.first);
         });
}

std::string_view proven_or_not(json::value const& object, std::string_view name) {
  auto proven = annotation(object, name);
  return proven.empty() ? annotation(object, proto::unproven_name(name)) : proven;
}

}  // namespace kopiur::gateway
