#include "services/gateway/core/mirror.hpp"

#include "proto/subjects.hpp"
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

}  // namespace

mirror_message mirrored(std::string_view cluster, json::value const& object, instant now) {
  auto key = key_of(object);
  auto uid = std::string(uid_of(object)), version = std::string(version_of(object));
  mirror_message out{
      proto::subjects::resource(cluster, key.kind, key.namespace_, key.name), json::dump(mirror_form(object)), uid + "." + version, {}};
  out.headers = cloud_event(cluster, "resource.changed.v1", out.id, now);
  out.headers.emplace_back("ce-datacontenttype", "application/json");
  out.headers.emplace_back(uid_header, uid);
  out.headers.emplace_back(version_header, version);
  out.headers.emplace_back(generation_header, std::to_string(generation_of(object)));
  return out;
}

mirror_message tombstone(std::string_view cluster, proto::object_ref const& object, instant now) {
  mirror_message out{proto::subjects::resource(cluster, object.kind, object.namespace_, object.name), "", {}, {}};
  out.id = (object.uid.empty() ? out.subject : object.uid) + ".gone";
  out.headers = cloud_event(cluster, "resource.gone.v1", out.id, now);
  if (!object.uid.empty()) out.headers.emplace_back(uid_header, object.uid);
  return out;
}

std::optional<proto::object_ref> object_of_subject(std::string_view subject) {
  using proto::subjects::part;
  auto kind = part(subject, 4), ns = part(subject, 5), name = part(subject, 6);
  if (kind == "-" || name.empty()) return std::nullopt;
  return proto::object_ref{std::string(kind), ns == "-" ? "" : proto::subjects::name(ns), proto::subjects::name(name), ""};
}

}  // namespace kopiur::gateway
