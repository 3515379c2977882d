#include <algorithm>

#include "proto/kinds.hpp"
#include "proto/schema/build.hpp"

namespace kopiur::proto::schema {
namespace {

node text(std::string_view description) { return {.type = node::shape::Text, .description = std::string(description)}; }

/// The envelope that all kinds share, around spec and status.
template <class Kind>
kind_schema of() {
  Kind const defaults{};
  auto notes = notes_of(std::type_identity<Kind>{});
  auto spec = build(defaults.spec, purpose::Spec);
  auto status = build(defaults.status, purpose::Status);
  node root{.type = node::shape::Object, .description = std::string(notes.text)};
  root.rules = std::move(notes.rules);
  root.properties.emplace_back("apiVersion", text("Version of this form: " + std::string(Kind::info.api_version) + "."));
  root.properties.emplace_back("kind", text(std::string("Always ") + std::string(Kind::info.kind) + "."));
  root.properties.emplace_back("metadata", node{.type = node::shape::Map});
  bool may_lack_spec = std::same_as<Kind, backup>;
  if (!may_lack_spec) root.required.emplace_back("spec");
  root.properties.emplace_back("spec", std::move(spec));
  root.properties.emplace_back("status", std::move(status));
  return {Kind::info, std::move(root)};
}

template <class... Kind>
std::vector<kind_schema> all(boost::mp11::mp_list<Kind...>) {
  return {of<Kind>()...};
}

}  // namespace

std::vector<kind_schema> const& kinds() {
  static std::vector<kind_schema> const made = all(boost::mp11::mp_append<own_kinds, shipped_kinds>{});
  return made;
}

kind_schema const* find_kind(std::string_view kind) {
  auto found = std::ranges::find_if(kinds(), [&](kind_schema const& each) { return each.info.kind == kind; });
  return found == kinds().end() ? nullptr : &*found;
}

}  // namespace kopiur::proto::schema
