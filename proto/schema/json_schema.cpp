#include <fmt/format.h>

#include "proto/kopiur/names.hpp"
#include "proto/schema/emit.hpp"

namespace kopiur::proto::schema {
namespace {

using json::value;

/// A tree as JSON Schema: the OpenAPI form without Kubernetes extensions, with unions as `oneOf`.
value plain(node const& node, bool strict);

void put_members(value& out, node const& node, bool strict) {
  if (auto* properties = out.find("properties"))
    for (auto& [name, child] : node.properties) properties->set(name, plain(child, strict));
  if (!node.one_of.empty()) {
    auto& choices = out.set("oneOf", value::make_array());
    for (auto& member : node.one_of) choices.push(value::make_object()).set("required", json::array{value(member)});
  }
  if (strict && !node.open && !node.properties.empty()) out.set("additionalProperties", false);
}

value plain(node const& schema, bool strict) {
  if (schema.type == node::shape::Anything) {
    value out = value::make_object();
    if (!schema.description.empty()) out.set("description", schema.description);
    if (strict) out.set("type", "object");
    return out;
  }
  auto out = open_api(schema);
  for (auto word : {"x-kubernetes-validations", "x-kubernetes-list-type", "x-kubernetes-list-map-keys"}) out.erase(word);
  if (schema.type == node::shape::Object) put_members(out, schema, strict);
  if (schema.type == node::shape::List && !schema.item.empty()) out.set("items", plain(schema.item.front(), strict));
  if (schema.type == node::shape::Map && !schema.item.empty()) out.set("additionalProperties", plain(schema.item.front(), strict));
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

value json_schema(kind_schema const& schema) {
  auto body = plain(schema.root, true);
  auto* properties = body.find("properties");
  properties->find("apiVersion")->set("const", schema.info.api_version);
  properties->find("kind")->set("const", schema.info.kind);
  return titled(std::string(schema.info.kind), std::move(body));
}

value json_schema(std::string title, node const& schema) { return titled(std::move(title), plain(schema, true)); }

value json_schema(body_schema const& schema) { return titled(schema.name, plain(schema.root, false)); }

}  // namespace kopiur::proto::schema
