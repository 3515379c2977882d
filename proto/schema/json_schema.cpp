#include <fmt/format.h>

#include "proto/kopiur/names.hpp"
#include "proto/schema/emit.hpp"

namespace kopiur::proto::schema {
namespace {

using json::value;

/// A tree as JSON Schema: the OpenAPI form without Kubernetes extensions, with unions as `oneOf`.
value plain(node const& of, bool strict);

void put_members(value& out, node const& of, bool strict) {
  if (auto* properties = out.find("properties"))
    for (auto& [name, child] : of.properties) properties->set(name, plain(child, strict));
  if (!of.one_of.empty()) {
    auto& choices = out.set("oneOf", value::make_array());
    for (auto& member : of.one_of) choices.push(value::make_object()).set("required", json::array{value(member)});
  }
  if (strict && !of.properties.empty()) out.set("additionalProperties", false);
}

value plain(node const& of, bool strict) {
  if (of.type == node::shape::Anything) {
    value out = value::make_object();
    if (!of.description.empty()) out.set("description", of.description);
    if (strict) out.set("type", "object");
    return out;
  }
  auto out = open_api(of);
  for (auto word : {"x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"}) out.erase(word);
  if (of.type == node::shape::Object) put_members(out, of, strict);
  if (of.type == node::shape::List && !of.item.empty()) out.set("items", plain(of.item.front(), strict));
  if (of.type == node::shape::Map && !of.item.empty()) out.set("additionalProperties", plain(of.item.front(), strict));
  return out;
}

value titled(std::string title, value body) {
  value out;
  out.set("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.set("title", std::move(title));
  for (auto& [name, content] : *body.as_object()) out.set(name, content);
  return out;
}

}  // namespace

value json_schema(kind_schema const& of) {
  auto body = plain(of.root, true);
  auto* properties = body.find("properties");
  properties->find("apiVersion")->set("const", of.info.api_version);
  properties->find("kind")->set("const", of.info.kind);
  return titled(std::string(of.info.kind), std::move(body));
}

value json_schema(body_schema const& of) { return titled(of.name, plain(of.root, false)); }

}  // namespace kopiur::proto::schema
