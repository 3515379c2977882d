#pragma once
#include "proto/core/job.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// The `spec` of a pod of the selected workload, preferably of a running one. If there is none, as while a volume is restored, that of the
/// template of the StatefulSet or Deployment that creates such pods. NotFound, with a sentence, when neither exists.
awaitable<outcome<json::value>> pod_spec_of(client& api, std::string ns, proto::label_selector selector);

/// The image of that container of a workload, by a live read. NotFound, with a sentence, when it does not exist.
awaitable<outcome<std::string>> image_of(client& api, proto::workload_image which);

}  // namespace kopiur::gateway::kubernetes
