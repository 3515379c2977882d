#include "services/gateway/core/mirror.hpp"

#include "proto/codec.hpp"
#include "proto/kopiur/backup.hpp"
#include "proto/kopiur/reserved_names.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/reference.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway {

namespace {

std::vector<std::pair<std::string, std::string>> cloud_event(std::string_view cluster, std::string_view type, std::string id, instant now) {
  return {{"ce-specversion", "1.0"},
          {"ce-id", std::move(id)},
          {"ce-source", "kopiur/" + std::string(cluster) + "/gateway"},
          {"ce-type", std::string(type)},
          {"ce-time", to_text(now)}};
}

constexpr std::size_t small = 4096;

/// The members of `from` that are no larger than `small`; with `ours_alone` only those with a name that kopiur owns.
json::value small_members(json::value const* from, bool ours_alone) {
  json::value kept = json::value::make_object();
  auto* members = from ? from->as_object() : nullptr;
  if (!members) return kept;
  for (auto& [name, content] : *members)
    if ((!ours_alone || proto::is_reserved(name) || name.starts_with(prefix)) && json::dump(content).size() <= small)
      kept.set(name, content);
  return kept;
}

mirror_message message_of(std::string_view cluster, json::value const& object, std::string body, instant now) {
  auto key = key_of(object);
  auto uid = std::string(uid_of(object)), version = std::string(version_of(object));
  mirror_message out{proto::subjects::resource(cluster, key.kind, key.namespace_, key.name), std::move(body), uid + "." + version, {}};
  out.headers = cloud_event(cluster, "resource.changed.v1", out.id, now);
  out.headers.emplace_back("ce-datacontenttype", "application/json");
  out.headers.emplace_back(uid_header, uid);
  out.headers.emplace_back(version_header, version);
  out.headers.emplace_back(generation_header, std::to_string(generation_of(object)));
  return out;
}

}  // namespace

mirror_message mirrored(std::string_view cluster, json::value const& object, instant now) {
  return message_of(cluster, object, json::dump(mirror_form(object)), now);
}

json::value stub_of(json::value const& object) {
  auto* whole = object.find("metadata");
  auto metadata = small_members(whole, false);
  for (auto* map : {"annotations", "labels"}) metadata.set(map, small_members(whole ? whole->find(map) : nullptr, true));
  metadata.erase("managedFields");
  json::value little =
      json::object{{std::string(proto::too_large), true}, {"apiVersion", object.text("apiVersion")}, {"kind", object.text("kind")}};
  little.set("metadata", std::move(metadata));
  if (object.text("kind") == proto::backup::info.kind) {
    little.set("spec", small_members(object.find("spec"), false));
    if (auto* status = object.find("status")) little.set("status", small_members(status, false));
  }
  return little;
}

mirror_message mirrored_stub(std::string_view cluster, json::value const& object, instant now) {
  auto out = message_of(cluster, object, json::dump(stub_of(object)), now);
  out.id += ".stub";
  return out;
}

mirror_message tombstone(std::string_view cluster, proto::object_ref const& object, instant now) {
  mirror_message out{proto::subjects::resource(cluster, object.kind, object.namespace_, object.name), "", {}, {}};
  out.id = (object.uid.empty() ? out.subject : object.uid) + ".gone";
  out.headers = cloud_event(cluster, "resource.gone.v1", out.id, now);
  if (!object.uid.empty()) out.headers.emplace_back(uid_header, object.uid);
  return out;
}

mirror_message mirrored_kind(std::string_view cluster, std::string_view kind, proto::kind_presence presence, instant now) {
  auto text = std::string(json::to_text(presence));
  mirror_message out{proto::subjects::kind_state(cluster, kind), json::write(proto::kind_state{presence, now}), {}, {}};
  out.id = out.subject + "." + text + "." + to_text(now);
  out.headers = cloud_event(cluster, "kind.changed.v1", out.id, now);
  out.headers.emplace_back("ce-datacontenttype", "application/json");
  out.headers.emplace_back(version_header, text);
  return out;
}

std::optional<proto::object_ref> object_of_subject(std::string_view subject) {
  auto object = controller::reference(subject);
  return controller::is_marker(object) || object.name.empty() ? std::nullopt : std::optional(std::move(object));
}

}  // namespace kopiur::gateway
