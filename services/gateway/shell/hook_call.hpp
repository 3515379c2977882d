#pragma once
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Sends a hook's HTTP request, within its timeout, to an address that cluster::http_policy allows. Header values from Secrets are read
/// only for this request. 2xx is success.
awaitable<outcome<void>> call_hook(ports ports, proto::call_http call);

}  // namespace kopiur::gateway
