#pragma once
#include "services/gateway/adapters/admission.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

namespace kopiur::gateway::kubernetes {

/// Something that kopiur does for whoever writes a manifest, and that the writer must be allowed to do without us: else a right to write
/// recipes would be a right to run commands in pods.
struct borrowed_right {
  std::string field;  ///< of the manifest, which asks for it
  std::string namespace_;
  std::string group, resource, subresource, verb;  ///< as RBAC names it
  std::string name{};                              ///< of the one object; empty: any
  bool operator==(borrowed_right const&) const = default;
  /// `create pods/exec`, `get secrets "token"`
  std::string text() const {
    return verb + " " + resource + (subresource.empty() ? "" : "/" + subresource) + (name.empty() ? "" : " \"" + name + "\"");
  }
};

/// What the object of an AdmissionReview borrows that it did not borrow before: of a BackupConfig's hooks, commands in pods, Jobs, and
/// Secrets that go out in the headers of a call.
std::vector<borrowed_right> borrowed_rights(json::value const& review);

/// Asks the API server (a LocalSubjectAccessReview) whether the user of an AdmissionReview has them. What is wrong: a right that he lacks,
/// or that could not be asked about within three seconds, for the API server waits for us.
awaitable<std::vector<finding>> lacking(client& api, clock& time, json::value review);

}  // namespace kopiur::gateway::kubernetes
