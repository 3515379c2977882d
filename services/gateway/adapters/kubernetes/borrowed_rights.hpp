#pragma once
#include <compare>
#include <string>
#include <vector>

#include "common/json/value.hpp"

namespace kopiur::gateway::kubernetes {

/// One thing that a user may be allowed to do, as RBAC names it.
struct right {
  std::string group, resource, subresource, verb;
  std::string name{};  ///< of the one object; empty: any
  auto operator<=>(right const&) const = default;
  /// `create pods/exec`, `get secrets "token"`
  std::string text() const {
    return verb + " " + resource + (subresource.empty() ? "" : "/" + subresource) + (name.empty() ? "" : " \"" + name + "\"");
  }
};

/// Something that kopiur does for the writer of a manifest, and that the writer must be allowed to do without us: else a right to write
/// our kinds would be a right to run commands in pods, and to have Secrets sent to any address.
struct borrowed_right {
  std::string field;                ///< of the manifest, which asks for it
  std::string namespace_;           ///< where; empty: in all namespaces
  std::string use{};                ///< what is used: `Secret "token"`; empty: something is done
  std::vector<right> sufficient{};  ///< any of these is enough; never empty
  /// `create pods or get secrets "token"`
  std::string text() const;
  /// `in namespace prod`, `in all namespaces`
  std::string place() const { return namespace_.empty() ? "in all namespaces" : "in namespace " + namespace_; }
};

/// What the object of an AdmissionReview borrows that its oldObject did not borrow: commands in pods and Jobs by the hooks of a
/// BackupConfig, and every Secret and ServiceAccount that an object of ours names (proto/references.hpp). Where any hook is changed, all
/// hooks count as new: a header's Secret may go to another address. Of an object that is being deleted: nothing.
std::vector<borrowed_right> borrowed_rights(json::value const& review);

}  // namespace kopiur::gateway::kubernetes
