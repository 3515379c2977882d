#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/json/value.hpp"

/// The identity and the metadata of an object as the API returns it. Pure: needs no client.
namespace kopiur::kubernetes {

/// Kind, namespace (empty for cluster-scoped kinds) and name.
struct object_key {
  std::string kind, namespace_, name;
  auto operator<=>(object_key const&) const = default;
  /// `Pod default/web-0`, for sentences.
  std::string text() const { return kind + " " + (namespace_.empty() ? "" : namespace_ + "/") + name; }
};
/// The key of an object that is known to be complete.
inline object_key key_of(json::value const& object) {
  return {std::string(object.text("kind")), std::string(object.text("metadata.namespace")), std::string(object.text("metadata.name"))};
}

inline std::string_view uid_of(json::value const& object) { return object.text("metadata.uid"); }
inline std::string_view version_of(json::value const& object) { return object.text("metadata.resourceVersion"); }
/// `metadata.generation`; 0 when it is absent.
inline std::int64_t generation_of(json::value const& object) {
  auto* found = object.at("metadata.generation");
  return found && found->as_int() ? *found->as_int() : 0;
}
/// True when the object is marked for deletion and exists only because of its finalizers.
inline bool is_terminating(json::value const& object) { return !object.text("metadata.deletionTimestamp").empty(); }

/// The text of a member of the object's member at the path `map`; empty when it is absent. Names of members contain dots, paths do not.
inline std::string_view text_in(json::value const& object, std::string_view map, std::string_view name) {
  auto* members = object.at(map);
  auto* found = members ? members->find(name) : nullptr;
  auto* text = found ? found->as_string() : nullptr;
  return text ? std::string_view(*text) : std::string_view{};
}
/// A member of `metadata.annotations` or `metadata.labels`; empty when it is absent.
inline std::string_view annotation(json::value const& object, std::string_view name) {
  return text_in(object, "metadata.annotations", name);
}
inline std::string_view label(json::value const& object, std::string_view name) { return text_in(object, "metadata.labels", name); }

/// Member of an object that arrived without its deepest levels (api_json.hpp). An API server drops such a member from what users write.
inline constexpr std::string_view too_deep = "tooDeep";

}  // namespace kopiur::kubernetes
