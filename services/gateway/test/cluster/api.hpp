#pragma once
#include "common/kubernetes/test/cluster/api.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/objects.hpp"

/// Shared by the gateway's tests against a real API server (e2e/cluster/with_api.sh runs them).
namespace kopiur::gateway::kubernetes {

using kopiur::kubernetes::api_folder, kopiur::kubernetes::as, kopiur::kubernetes::code_of, kopiur::kubernetes::must;

/// That of the client's tests, with the contracts for objects.
struct stage_base : kopiur::kubernetes::stage_base {
  stage_base(asio::io_context& loop, std::string name, std::string const& user = "admin")
      : kopiur::kubernetes::stage_base(loop, std::move(name), user), all(api) {}

  objects all;
};

}  // namespace kopiur::gateway::kubernetes
