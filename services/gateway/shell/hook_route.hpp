#pragma once
#include "services/gateway/core/hook_target.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// The addresses, at least one, to which the request of a hook of `ns` may be sent: from live reads of its Service, or from one lookup of
/// its host. Else the reason why it may not be sent.
awaitable<outcome<std::vector<hook_endpoint>>> route_of(cluster& cluster, name_resolver const& resolve, hook_policy const& policy,
                                                        std::string ns, std::string url);

}  // namespace kopiur::gateway
