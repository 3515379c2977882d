#pragma once
#include <compare>
#include <string>
#include <vector>

#include "common/json/value.hpp"

namespace kopiur::gateway::kubernetes {

/// One permission, as RBAC names it.
struct right {
  std::string group, resource, subresource, verb;
  std::string name{};  ///< of one object; empty: any
  auto operator<=>(right const&) const = default;
  /// `create pods/exec`, `get secrets "token"`
  std::string text() const {
    return verb + " " + resource + (subresource.empty() ? "" : "/" + subresource) + (name.empty() ? "" : " \"" + name + "\"");
  }
};

/// Something that kopiur does for the writer of a manifest, and that the writer must also be allowed to do directly. Otherwise a right to
/// write kopiur's kinds would include the right to run commands in pods, and to have Secrets sent to any address.
struct borrowed_right {
  std::string field;                ///< the field of the manifest that requests it
  std::string namespace_;           ///< where; empty: in all namespaces
  std::string use{};                ///< what is used: `Secret "token"`; empty: an action
  std::vector<right> sufficient{};  ///< any one of these is enough; never empty
  /// `create pods or get secrets "token"`
  std::string text() const;
  /// `in namespace prod`, `in all namespaces`
  std::string scope() const { return namespace_.empty() ? "in all namespaces" : "in namespace " + namespace_; }
};

/// What the object of an AdmissionReview borrows that its oldObject did not: commands in pods and Jobs of a BackupConfig's hooks, and every
/// Secret, ServiceAccount and Buckety that an object of kopiur's kinds names (proto/references.hpp). If any hook changes, all hooks count
/// as new: a header's Secret may go to another address. For an object that is being deleted: nothing.
std::vector<borrowed_right> borrowed_rights(json::value const& review);

}  // namespace kopiur::gateway::kubernetes
