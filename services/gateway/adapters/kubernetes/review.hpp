#pragma once
#include <functional>
#include <optional>

#include "services/gateway/adapters/admission.hpp"

namespace kopiur::gateway::kubernetes {

/// What a validating webhook answers to an AdmissionReview (admission.k8s.io/v1); `there` gathers the objects of the cluster, where they
/// matter. Refused is only what a user's create or change of a spec would do. Status, finalizers and deletions pass whatever they are, and
/// so does everything about an object that is on its way out: nothing that ends may be held up by us. What it names and what is not there
/// is a warning. What is not an AdmissionReview gets none: nothing.
std::optional<json::value> reviewed(json::value const& review, std::function<object_map()> const& there);
/// The answer that refuses for these reasons; with none it lets pass.
json::value answered(json::value const& review, std::vector<finding> const& wrong);

}  // namespace kopiur::gateway::kubernetes
