#pragma once
#include "proto/core/metadata.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

namespace kopiur::gateway::kubernetes {

/// The `spec` of a pod of the workload that the selector means: of one that runs before others; where there is none, as while a volume is
/// restored, of the template of the StatefulSet or Deployment that makes such pods. NotFound, with a sentence, where there is neither.
awaitable<outcome<json::value>> pod_spec_of(client& api, std::string ns, proto::label_selector selector);

}  // namespace kopiur::gateway::kubernetes
