#pragma once
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

struct serve_options {
  bool restore_by_request = false;
};

/// Runs the whole service over any cluster: mirror, commands, status, requests, epochs. Ends by cancellation, or with the first error.
awaitable<void> serve(ports ports, serve_options options);

}  // namespace kopiur::gateway
