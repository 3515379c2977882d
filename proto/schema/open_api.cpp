#include <fmt/format.h>

#include "common/json/codec.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/schema/emit.hpp"

namespace kopiur::proto::schema {
namespace {

using json::value;

value texts(std::vector<std::string> const& of) {
  auto out = value::make_array();
  for (auto& each : of) out.push(each);
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

void union_rules(value& rules, node const& of) {
  if (of.one_of.empty()) return;
  rules.push(cel_rule("[" + joined(of.one_of, "has(self.{})", ", ") + "].filter(given, given).size() == 1",
                      "exactly one of " + joined(of.one_of, "{}", ", ") + " must be given", ""));
  if (of.tags.empty()) return;
  std::string agrees = "!has(self.kind)";
  for (auto& [kind, member] : of.tags) agrees += fmt::format(" || (self.kind == '{}' && has(self.{}))", kind, member);
  rules.push(cel_rule(agrees, "kind must name the member that is given, or be left out", "kind"));
}

value rules_of(node const& of) {
  auto out = value::make_array();
  union_rules(out, of);
  for (auto& each : of.rules)
    if (!each.cel.empty()) out.push(cel_rule(std::string(each.cel), fmt::format("{} {}", each.message, each.hint), each.field));
  return out;
}

void put_bounds(value& out, limits const& of) {
  if (of.min) out.set("minimum", *of.min);
  if (of.max) out.set("maximum", *of.max);
  if (of.min_length) out.set("minLength", *of.min_length);
  if (of.max_length) out.set("maxLength", *of.max_length);
  if (!of.pattern.empty()) out.set("pattern", of.pattern);
}

void put_items(value& out, node const& of) {
  if (of.type == node::shape::Map) {
    if (of.max_items) out.set("maxProperties", *of.max_items);
    if (!of.item.empty()) out.set("additionalProperties", open_api(of.item.front()));
    return;
  }
  if (of.min_items) out.set("minItems", *of.min_items);
  if (of.max_items) out.set("maxItems", *of.max_items);
  if (!of.item.empty()) out.set("items", open_api(of.item.front()));
  if (of.map_key.empty()) return;
  out.set("x-kubernetes-list-type", "map");
  out.set("x-kubernetes-list-map-keys", json::array{value(of.map_key)});
}

value column(printer_column const& of) {
  value out;
  out.set("name", of.name);
  out.set("type", of.type);
  out.set("jsonPath", of.path);
  if (of.priority > 0) out.set("priority", of.priority);
  return out;
}

value names(kind_info const& of) {
  value out;
  out.set("kind", of.kind);
  out.set("listKind", std::string(of.kind) + "List");
  out.set("plural", of.plural);
  out.set("singular", of.singular);
  if (!of.short_name.empty()) out.set("shortNames", json::array{value(of.short_name)});
  // Not `backup`: that is the singular of the kind, and kubectl would read `get backup NAME` as the whole category.
  out.set("categories", json::array{value("kopiur")});
  return out;
}

}  // namespace

value open_api(node const& of) {
  value out;
  if (!of.description.empty()) out.set("description", of.description);
  out.set("type", type_name(of.type));
  if (!of.format.empty()) out.set("format", of.format);
  if (!of.values.empty()) out.set("enum", texts(of.values));
  put_bounds(out, of.bounds);
  if (of.default_) out.set("default", *of.default_);
  if (of.type == node::shape::Anything) out.set("x-kubernetes-preserve-unknown-fields", true);
  if (!of.required.empty()) out.set("required", texts(of.required));
  if (!of.properties.empty()) {
    auto properties = value::make_object();
    for (auto& [name, child] : of.properties) properties.set(name, open_api(child));
    out.set("properties", std::move(properties));
  }
  put_items(out, of);
  if (auto rules = rules_of(of); !rules.as_array()->empty()) out.set("x-kubernetes-validations", std::move(rules));
  return out;
}

value crd(kind_schema const& of) {
  value version;
  version.set("name", version_of(of.info));
  version.set("served", true);
  version.set("storage", true);
  version.set("subresources", value::make_object()).set("status", value::make_object());
  auto columns = value::make_array();
  for (auto& each : of.info.columns) columns.push(column(each));
  version.set("additionalPrinterColumns", std::move(columns));
  version.set("schema", value::make_object()).set("openAPIV3Schema", open_api(of.root));

  value out;
  out.set("apiVersion", "apiextensions.k8s.io/v1");
  out.set("kind", "CustomResourceDefinition");
  auto& metadata = out.set("metadata", value::make_object());
  metadata.set("name", fmt::format("{}.{}", of.info.plural, group_of(of.info)));
  metadata.set("labels", value::make_object()).set("app.kubernetes.io/part-of", "kopiur");
  auto& spec = out.set("spec", value::make_object());
  spec.set("group", group_of(of.info));
  spec.set("names", names(of.info));
  spec.set("scope", json::to_text(of.info.scope));
  spec.set("versions", json::array{std::move(version)});
  return out;
}

}  // namespace kopiur::proto::schema
