#pragma once
#include <string>
#include <vector>

#include "common/kubernetes/client.hpp"

namespace kopiur::kubernetes {

/// Proves the identity of a ServiceAccount to others.
struct bound_token {
  std::string token;  ///< a secret
  instant expires{};  ///< chosen by the server: may be earlier or later than requested
};

/// A token of that ServiceAccount for these audiences (none: the API server's own) and this lifetime; the server refuses less than ten
/// minutes (`invalid`). TokenRequest, authentication.k8s.io/v1. Needs `create` on `serviceaccounts/token`.
awaitable<result<bound_token>> request_token(client& api, object_key account, std::vector<std::string> audiences, duration life);

}  // namespace kopiur::kubernetes
