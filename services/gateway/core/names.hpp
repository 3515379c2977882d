#pragma once
#include <map>
#include <string>
#include <string_view>

#include "common/json/value.hpp"
#include "common/kubernetes/object.hpp"
#include "services/gateway/core/refusal.hpp"

/// The identity of objects, and the names that kopiur writes into metadata.
namespace kopiur::gateway {

/// The prefix `G/` in our documents: that of kopiur's labels, annotations and finalizers.
inline constexpr std::string_view prefix = "kopiur.home-operations.com/";
/// `G/<word>`.
inline std::string ours(std::string_view word) { return std::string(prefix) + std::string(word); }

using kopiur::kubernetes::annotation, kopiur::kubernetes::label;
using kopiur::kubernetes::generation_of, kopiur::kubernetes::is_terminating, kopiur::kubernetes::uid_of, kopiur::kubernetes::version_of;
using kopiur::kubernetes::object_key, kopiur::kubernetes::key_of;

using proto::key_to;

/// Objects by key.
using object_map = std::map<object_key, json::value>;

/// True for kinds without a namespace.
bool is_cluster_scoped(std::string_view kind);
/// A DNS subdomain as Kubernetes accepts it for names: such a name is also a safe file name.
bool is_object_name(std::string_view name);
/// A DNS label, as Kubernetes accepts it for namespaces.
bool is_label_name(std::string_view name);

/// A reference to this object, with its uid.
proto::object_ref ref_of(json::value const& object);
/// The checked key of an object from a user or a service: every part is safe as a file name. A namespaced kind without a namespace gets
/// `default`; a cluster-scoped one loses it.
outcome<object_key> admit_key(json::value const& manifest);
/// The same for a reference.
outcome<object_key> admit_key(proto::object_ref const& ref);

}  // namespace kopiur::gateway
