#pragma once
#include <optional>

#include "services/gateway/admission/admission.hpp"

namespace kopiur::gateway::kubernetes {

/// The answer of the validating webhook to an AdmissionReview (admission.k8s.io/v1); `there`: the objects of the cluster, as
/// decoded_objects.hpp has them. Only a user's create or change of a spec can be refused. Status, finalizers and deletions always pass, and
/// so does every change of an object that is being deleted: the webhook must not block anything that ends. A named object that does not
/// exist is a warning. No answer for anything but an AdmissionReview.
std::optional<json::value> reviewed(json::value const& review, controller::objects const& there,
                                    controller::configurations const& configurations = {});
/// The answer that refuses for these reasons; allows when there are none.
json::value answered(json::value const& review, std::vector<finding> const& wrong);

}  // namespace kopiur::gateway::kubernetes
