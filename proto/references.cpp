#include "proto/references.hpp"

#include "proto/schema/node.hpp"

namespace kopiur::proto {
namespace {

using json::value;
using schema::node;

void collect(node const& by, value const& v, std::string const& path, std::vector<reference>& out);

void collect_name(node const& by, value const& owner, std::string const& name, std::string path, std::vector<reference>& out) {
  if (auto name_given = owner.text(name); !name_given.empty()) {
    reference found{std::move(path), std::string(by.bounds.names_kind), std::string(name_given), {}};
    if (auto ns = owner.text("namespace"); !ns.empty()) found.namespace_ = ns;
    out.push_back(std::move(found));
  }
}

void collect_members(node const& by, value const& v, std::string const& path, std::vector<reference>& out) {
  for (auto& [name, child] : by.properties) {
    auto* content = v.find(name);
    if (!content) continue;
    auto field = path + "." + name;
    if (child.bounds.names_kind.empty())
      collect(child, *content, field, out);
    else
      collect_name(child, v, name, std::move(field), out);
  }
}

void collect(node const& by, value const& v, std::string const& path, std::vector<reference>& out) {
  collect_members(by, v, path, out);
  if (by.item.empty()) return;
  if (auto* items = v.as_array())
    for (std::size_t i = 0; i < items->size(); ++i) collect(by.item.front(), (*items)[i], path + "[" + std::to_string(i) + "]", out);
  if (auto* members = v.as_object())
    for (auto& [key, content] : *members) collect(by.item.front(), content, path + "." + key, out);
}

}  // namespace

std::vector<reference> references(std::string_view kind, value const& object) {
  std::vector<reference> out;
  auto* ours = schema::find_kind(kind);
  auto* by = ours ? ours->root.property("spec") : nullptr;
  auto* spec = object.find("spec");
  if (by && spec) collect(*by, *spec, "spec", out);
  return out;
}

}  // namespace kopiur::proto
