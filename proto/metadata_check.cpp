#include "proto/metadata_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/config/load.hpp"
#include "proto/kopiur/names.hpp"

namespace kopiur::proto {
namespace {

using json::value;

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

bool is_label_part(std::string_view part) {
  return !part.empty() && is_lower_or_digit(part.front()) && is_lower_or_digit(part.back()) &&
         std::ranges::all_of(part, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

/// A label value, or the part of a key after the slash: 63 characters at most, alphanumeric at both ends.
bool is_qualified_part(std::string_view part) {
  return !part.empty() && part.size() <= 63 && is_alphanumeric(part.front()) && is_alphanumeric(part.back()) &&
         std::ranges::all_of(part, [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

bool is_qualified_key(std::string_view key) {
  auto slash = key.find('/');
  if (slash == key.npos) return is_qualified_part(key);
  return is_object_name(key.substr(0, slash)) && is_qualified_part(key.substr(slash + 1));
}

constexpr std::string_view name_rule = "Use lower-case letters, digits, `-` and `.`, at most 253 characters, alphanumeric at both ends.";
constexpr std::string_view namespace_rule = "Use lower-case letters, digits and `-`, at most 63 characters, alphanumeric at both ends.";

void check_name(value const& metadata, std::vector<finding>& out) {
  auto* name = metadata.find("name");
  if (!name || name->is_null()) {
    auto* prefix = metadata.find("generateName");
    if (!prefix || !prefix->as_string() || prefix->as_string()->empty())
      out.push_back({"metadata.name", "The object has no name.", "Add metadata.name (or generateName)."});
    return;
  }
  auto* text = name->as_string();
  if (!text)
    out.push_back({"metadata.name", "A name must be text.", "Put it into quotes."});
  else if (!is_object_name(*text))
    out.push_back({"metadata.name", fmt::format("`{}` is not a name that Kubernetes takes.", text->substr(0, 64)), std::string(name_rule)});
}

void check_namespace(kind_info const& info, value const& metadata, std::vector<finding>& out) {
  auto* ns = metadata.find("namespace");
  if (!ns || ns->is_null()) return;
  auto* text = ns->as_string();
  if (info.scope == kind_scope::Cluster)
    out.push_back({"metadata.namespace", fmt::format("A {} belongs to no namespace.", info.kind), "Remove namespace."});
  else if (!text || !is_namespace_name(*text))
    out.push_back({"metadata.namespace", fmt::format("`{}` is not a valid name of a namespace.", text ? text->substr(0, 64) : "this"),
                   std::string(namespace_rule)});
}

void check_texts(value const& metadata, std::string_view field, std::vector<finding>& out) {
  auto* all = metadata.find(field);
  if (!all || all->is_null()) return;
  if (!all->is_object()) return out.push_back({fmt::format("metadata.{}", field), "It must be an object.", "Write `key: value` below it."});
  for (auto& [key, content] : *all->as_object()) {
    if (out.size() >= max_findings) return;
    auto path = fmt::format("metadata.{}.{}", field, key);
    auto* text = content.as_string();
    if (!is_qualified_key(key))
      out.push_back({path, "This is not a key that Kubernetes takes.", "Use `name` or `domain/name`, as in `example.org/owner`."});
    else if (!text)
      out.push_back({path, "Its value must be text.", "Put it into quotes: YAML reads true, no and numbers as what they look like."});
    else if (field == "labels" && !text->empty() && !is_qualified_part(*text))
      out.push_back({path, "This is not a value of a label.",
                     "Use letters, digits, `-`, `_` and `.`, at most 63, alphanumeric at both ends; other texts go into annotations."});
  }
}

}  // namespace

bool is_object_name(std::string_view name) {
  if (name.empty() || name.size() > 253) return false;
  while (true) {
    auto dot = name.find('.');
    if (!is_label_part(name.substr(0, dot))) return false;
    if (dot == name.npos) return true;
    name.remove_prefix(dot + 1);
  }
}
bool is_namespace_name(std::string_view name) { return name.size() <= 63 && is_label_part(name); }

void check_metadata(kind_info const& info, value const& object, std::vector<finding>& out) {
  static std::vector<std::string_view> const known{"name",
                                                   "generateName",
                                                   "namespace",
                                                   "uid",
                                                   "resourceVersion",
                                                   "generation",
                                                   "labels",
                                                   "annotations",
                                                   "finalizers",
                                                   "ownerReferences",
                                                   "creationTimestamp",
                                                   "deletionTimestamp",
                                                   "managedFields",
                                                   "selfLink",
                                                   "deletionGracePeriodSeconds"};
  auto* metadata = object.find("metadata");
  if (!metadata || !metadata->is_object()) return out.push_back({"metadata", "The object has no metadata.", "Add metadata with a name."});
  for (auto& [name, content] : *metadata->as_object()) {
    if (out.size() >= max_findings) break;
    if (std::ranges::find(known, name) != known.end()) continue;
    auto near = config::nearest(name, known);
    out.push_back(
        {"metadata." + name, "There is no such field here.", near.empty() ? "Remove it." : fmt::format("Did you mean `{}`?", near)});
  }
  check_name(*metadata, out);
  check_namespace(info, *metadata, out);
  check_texts(*metadata, "labels", out);
  check_texts(*metadata, "annotations", out);
}

void check_envelope(kind_info const& info, value const& object, std::vector<finding>& out) {
  if (auto ours = info.api_version; object.text("apiVersion") != ours)
    out.push_back(
        {"apiVersion", fmt::format("It is `{}`, and this kind is of {}.", object.text("apiVersion"), ours), "Correct apiVersion."});
  if (object.text("kind") != info.kind)
    out.push_back({"kind", fmt::format("It is `{}`, and not {}.", object.text("kind"), info.kind), "Correct kind."});
  check_metadata(info, object, out);
}

}  // namespace kopiur::proto
