#pragma once
#include <compare>
#include <map>
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "services/gateway/core/refusal.hpp"

/// The identity of objects, and the names that kopiur writes into metadata.
namespace kopiur::gateway {

/// The prefix `G/` in our documents: that of kopiur's labels, annotations and finalizers.
inline constexpr std::string_view prefix = "kopiur.home-operations.com/";
/// `G/<word>`.
inline std::string ours(std::string_view word) { return std::string(prefix) + std::string(word); }

/// Kind, namespace (empty for cluster-scoped kinds) and name.
struct object_key {
  std::string kind, namespace_, name;
  auto operator<=>(object_key const&) const = default;
  /// `BackupConfig default/photos`, for sentences.
  std::string text() const { return kind + " " + (namespace_.empty() ? "" : namespace_ + "/") + name; }
};

/// The key of an object of kind T.
template <class T>
object_key key_to(std::string ns, std::string name) {
  return {std::string(T::info.kind), std::move(ns), std::move(name)};
}

/// Objects by key.
using object_map = std::map<object_key, json::value>;

/// True for kinds without a namespace.
bool is_cluster_scoped(std::string_view kind);
/// A DNS subdomain as Kubernetes accepts it for names: such a name is also a safe file name.
bool is_object_name(std::string_view name);
/// A DNS label, as Kubernetes accepts it for namespaces.
bool is_label_name(std::string_view name);

/// The key of an object that is known to be complete.
object_key key_of(json::value const& object);
/// A reference to this object, with its uid.
proto::object_ref ref_of(json::value const& object);
/// The checked key of an object from a user or a service: every part is safe as a file name. A namespaced kind without a namespace gets
/// `default`; a cluster-scoped one loses it.
outcome<object_key> admit_key(json::value const& manifest);
/// The same for a reference.
outcome<object_key> admit_key(proto::object_ref const& ref);

/// A member of `metadata.annotations` or `metadata.labels`; empty when it is absent.
std::string_view annotation(json::value const& object, std::string_view name);
std::string_view label(json::value const& object, std::string_view name);
inline std::string_view uid_of(json::value const& object) { return object.text("metadata.uid"); }
inline std::string_view version_of(json::value const& object) { return object.text("metadata.resourceVersion"); }
/// `metadata.generation`; 0 when it is absent.
std::int64_t generation_of(json::value const& object);
/// True when the object is marked for deletion and exists only because of its finalizers.
inline bool is_terminating(json::value const& object) { return !object.text("metadata.deletionTimestamp").empty(); }

}  // namespace kopiur::gateway
