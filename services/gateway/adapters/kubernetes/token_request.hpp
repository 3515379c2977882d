#pragma once
#include <string>
#include <vector>

#include "services/gateway/adapters/kubernetes/client.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

/// Proof to others of being a ServiceAccount.
struct bound_token {
  std::string token;  ///< a secret
  instant expires{};  ///< the server decides: it may be sooner or later than was asked for
};

/// A token of that ServiceAccount for these audiences (none: the API server's own), for so long; the server gives none for less than ten
/// minutes (Invalid). TokenRequest, authentication.k8s.io/v1. Needs `create` on `serviceaccounts/token`.
awaitable<result<bound_token>> request_token(client& api, object_key account, std::vector<std::string> audiences, duration life);

}  // namespace kopiur::gateway::kubernetes
