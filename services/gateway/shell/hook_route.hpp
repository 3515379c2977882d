#pragma once
#include "services/gateway/core/hook_target.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// The addresses, at least one, that the request of a hook of `ns` may be sent to: by live reads of its Service, or by one lookup of its
/// host. Or why it may not be sent.
awaitable<outcome<std::vector<hook_endpoint>>> route_of(cluster& world, name_resolver const& resolve, hook_policy const& policy,
                                                        std::string ns, std::string url);

}  // namespace kopiur::gateway
