#pragma once
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Sends a hook's HTTP request, within its timeout, to where cluster::http_policy lets it; values of headers that name Secrets are read
/// just for that. 2xx is success.
awaitable<outcome<void>> call_hook(ports to, proto::call_http call);

}  // namespace kopiur::gateway
