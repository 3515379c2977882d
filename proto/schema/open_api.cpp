#include <fmt/format.h>

#include "common/json/codec.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/schema/duration_bound.hpp"
#include "proto/schema/emit.hpp"

namespace kopiur::proto::schema {
namespace {

using json::value;

value texts(std::vector<std::string> const& names) {
  auto out = value::make_array();
  for (auto& each : names) out.push(each);
  return out;
}

std::string_view type_name(node::shape type) {
  switch (type) {
    case node::shape::Object:
    case node::shape::Map:
    case node::shape::Anything:
      return "object";
    case node::shape::List:
      return "array";
    case node::shape::Text:
      return "string";
    case node::shape::Integer:
      return "integer";
    case node::shape::Number:
      return "number";
    case node::shape::Boolean:
      return "boolean";
  }
  __builtin_unreachable();
}

value cel_rule(std::string cel, std::string message, std::string_view field) {
  value out;
  out.set("rule", std::move(cel));
  out.set("message", std::move(message));
  if (!field.empty()) out.set("fieldPath", "." + std::string(field));
  return out;
}

std::string joined(std::vector<std::string> const& names, std::string_view each, std::string_view between) {
  std::string out;
  for (auto& name : names) out += (out.empty() ? "" : std::string(between)) + fmt::format(fmt::runtime(each), name);
  return out;
}

void union_rules(value& rules, node const& node) {
  if (node.one_of.empty()) return;
  rules.push(cel_rule("[" + joined(node.one_of, "has(self.{})", ", ") + "].filter(given, given).size() == 1",
                      "exactly one of " + joined(node.one_of, "{}", ", ") + " must be given", ""));
  if (node.tags.empty()) return;
  std::string agrees = "!has(self.kind)";
  for (auto& [kind, member] : node.tags) agrees += fmt::format(" || (self.kind == '{}' && has(self.{}))", kind, member);
  rules.push(cel_rule(agrees, "kind must name the member that is given, or be left out", "kind"));
}

value rules_of(node const& node) {
  auto out = value::make_array();
  union_rules(out, node);
  if (auto hours = node.bounds.longest)
    out.push(cel_rule(cel_of_bound(*hours), fmt::format("{} {}", message_of_bound(*hours), hint_of_bound), ""));
  for (auto& each : node.rules)
    if (!each.cel.empty()) out.push(cel_rule(std::string(each.cel), fmt::format("{} {}", each.message, each.hint), each.field));
  return out;
}

void put_bounds(value& out, limits const& limits) {
  if (limits.min) out.set("minimum", *limits.min);
  if (limits.max) out.set("maximum", *limits.max);
  if (limits.min_length) out.set("minLength", *limits.min_length);
  if (limits.max_length) out.set("maxLength", *limits.max_length);
  if (!limits.pattern.empty()) out.set("pattern", limits.pattern);
}

void put_items(value& out, node const& schema) {
  if (schema.type == node::shape::Map || schema.type == node::shape::Object) {
    if (schema.min_items) out.set("minProperties", *schema.min_items);
    if (schema.max_items) out.set("maxProperties", *schema.max_items);
    if (!schema.item.empty()) out.set("additionalProperties", open_api(schema.item.front()));
    return;
  }
  if (schema.min_items) out.set("minItems", *schema.min_items);
  if (schema.max_items) out.set("maxItems", *schema.max_items);
  if (!schema.item.empty()) out.set("items", open_api(schema.item.front()));
  if (schema.map_key.empty()) return;
  out.set("x-kubernetes-list-type", "map");
  out.set("x-kubernetes-list-map-keys", json::array{value(schema.map_key)});
}

value column(printer_column const& spec) {
  value out;
  out.set("name", spec.name);
  out.set("type", spec.type);
  out.set("jsonPath", spec.path);
  if (spec.priority > 0) out.set("priority", spec.priority);
  return out;
}

value names(kind_info const& info) {
  value out;
  out.set("kind", info.kind);
  out.set("listKind", std::string(info.kind) + "List");
  out.set("plural", info.plural);
  out.set("singular", info.singular);
  if (!info.short_name.empty()) out.set("shortNames", json::array{value(info.short_name)});
  // Not `backup`: that is the singular of the kind, and kubectl would read `get backup NAME` as the whole category.
  out.set("categories", json::array{value("kopiur")});
  return out;
}

}  // namespace

value open_api(node const& schema) {
  value out;
  if (!schema.description.empty()) out.set("description", schema.description);
  out.set("type", type_name(schema.type));
  if (!schema.format.empty()) out.set("format", schema.format);
  if (!schema.values.empty()) out.set("enum", texts(schema.values));
  put_bounds(out, schema.bounds);
  if (schema.default_) out.set("default", *schema.default_);
  if (schema.type == node::shape::Anything || schema.open) out.set("x-kubernetes-preserve-unknown-fields", true);
  if (!schema.required.empty()) out.set("required", texts(schema.required));
  if (!schema.properties.empty()) {
    auto properties = value::make_object();
    for (auto& [name, child] : schema.properties) properties.set(name, open_api(child));
    out.set("properties", std::move(properties));
  }
  put_items(out, schema);
  if (auto rules = rules_of(schema); !rules.as_array()->empty()) out.set("x-kubernetes-validations", std::move(rules));
  return out;
}

value crd(kind_schema const& schema) {
  value version;
  version.set("name", version_of(schema.info));
  version.set("served", true);
  version.set("storage", true);
  version.set("subresources", value::make_object()).set("status", value::make_object());
  auto columns = value::make_array();
  for (auto& each : schema.info.columns) columns.push(column(each));
  version.set("additionalPrinterColumns", std::move(columns));
  version.set("schema", value::make_object()).set("openAPIV3Schema", open_api(schema.root));

  value out;
  out.set("apiVersion", "apiextensions.k8s.io/v1");
  out.set("kind", "CustomResourceDefinition");
  auto& metadata = out.set("metadata", value::make_object());
  metadata.set("name", fmt::format("{}.{}", schema.info.plural, group_of(schema.info)));
  auto& labels = metadata.set("labels", value::make_object());
  labels.set("app.kubernetes.io/component", schema.info.system);  // the chart installs the kinds of a system, or none of them
  labels.set("app.kubernetes.io/part-of", "kopiur");
  auto& spec = out.set("spec", value::make_object());
  spec.set("group", group_of(schema.info));
  spec.set("names", names(schema.info));
  spec.set("scope", json::to_text(schema.info.scope));
  spec.set("versions", json::array{std::move(version)});
  return out;
}

}  // namespace kopiur::proto::schema
