#pragma once
#include <string>
#include <vector>

#include "common/json/value.hpp"
#include "services/gateway/core/refusal.hpp"

namespace kopiur::gateway::kubernetes {

/// What the securityContexts of a mover's pod have beyond the allow-list: the Pod Security Standard `restricted`, without added
/// capabilities and with a read-only root file system. `pod_spec` is judged as sent to the API server, after every merge: a missing field
/// that hardens, a different value, and each field that the list does not know. One clause each, such as
/// `mover.podSecurityContext.runAsUser is 0 and has to be a user id above 0`; values are cut to 60 bytes. Empty: nothing.
std::vector<std::string> beyond_restricted(json::value const& pod_spec);

/// Whether the Namespace `ns` allows its movers that: it has the annotation `G/privileged-movers: "true"`. Refused (Forbidden) with the
/// first five clauses of `beyond` and the remedy.
outcome<void> consent(json::value const& ns, std::vector<std::string> const& beyond);

}  // namespace kopiur::gateway::kubernetes
