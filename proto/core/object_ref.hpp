#pragma once
#include <string>

#include "common/kubernetes/object.hpp"
#include "proto/describe.hpp"

namespace kopiur::proto {

/// One object of a cluster; `uid` is empty while it is not known.
struct object_ref {
  std::string kind, namespace_, name, uid;
  auto operator<=>(object_ref const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(object_ref, (), (kind, namespace_, name, uid))

/// Where an object is, whichever object that is: with another uid it is another object at the same place.
using kubernetes::object_key;
inline object_key key_of(object_ref const& object) { return {object.kind, object.namespace_, object.name}; }
/// The key of an object of kind T.
template <class T>
object_key key_to(std::string ns, std::string name) {
  return {std::string(T::info.kind), std::move(ns), std::move(name)};
}

/// Refers to an object of kind T. Empty `uid`: any object with that name.
template <class T>
object_ref ref_to(std::string ns, std::string name, std::string uid = {}) {
  return {std::string(T::info.kind), std::move(ns), std::move(name), std::move(uid)};
}

}  // namespace kopiur::proto
