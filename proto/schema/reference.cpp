#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "proto/kopiur/names.hpp"
#include "proto/schema/emit.hpp"

namespace kopiur::proto::schema {
namespace {

/// Short description of the allowed values of a field.
std::string type_of(node const& schema) {
  switch (schema.type) {
    case node::shape::Object:
    case node::shape::Anything:
      return "object";
    case node::shape::Map:
      return "map";
    case node::shape::List:
      return schema.item.empty() ? "list" : "list of " + type_of(schema.item.front());
    case node::shape::Text:
      if (!schema.values.empty()) return fmt::format("{}", fmt::join(schema.values, ", "));
      if (schema.bounds.longest) return fmt::format("duration, at most {}h", *schema.bounds.longest);
      if (schema.bounds.pattern == duration_text.pattern) return "duration";
      return schema.format == "date-time" ? "instant" : "text";
    case node::shape::Integer:
      return schema.bounds.max ? fmt::format("whole number, at most {}", *schema.bounds.max) : "whole number";
    case node::shape::Number:
      return "number";
    case node::shape::Boolean:
      return "true, false";
  }
  __builtin_unreachable();
}

std::string escaped(std::string text) {
  for (std::size_t index = 0; (index = text.find('|', index)) != text.npos; index += 2) text.insert(index, "\\");
  return text;
}

void rows(std::string& out, node const& schema, std::string const& path) {
  for (auto& [name, child] : schema.properties) {
    auto here = path + "." + name;
    bool required = std::ranges::find(schema.required, name) != schema.required.end();
    auto default_ = child.default_ && !child.default_->is_object() ? "`" + json::dump(*child.default_) + "`" : required ? "required" : "";
    out += fmt::format("| `{}` | {} | {} | {} |\n", here, type_of(child), default_, escaped(child.description));
    node const* inner = &child;
    while (inner->type == node::shape::List && !inner->item.empty()) inner = &inner->item.front(), here += "[]";
    rows(out, *inner, here);
  }
}

}  // namespace

std::string reference(std::vector<kind_schema> const& schemas) {
  std::string out = fmt::format("<!-- Made by kopiur-schema; do not edit. -->\n# {}\n", api_version);
  for (auto& kind : schemas) {
    out += fmt::format("\n## {}\n\n{}\n\n", kind.info.kind, kind.root.description);
    for (auto part : {"spec", "status"}) {
      out += fmt::format("| {} | what it holds | default | meaning |\n|---|---|---|---|\n", part);
      rows(out, *kind.root.property(part), part);
      out += "\n";
    }
  }
  return out;
}

}  // namespace kopiur::proto::schema
