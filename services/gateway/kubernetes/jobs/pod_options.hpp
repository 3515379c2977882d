#pragma once
#include "proto/core/job.hpp"
#include "services/gateway/kubernetes/objects/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// The user's options of the mover's pod (spec/kopiur.md, `mover`), with the user, groups and SELinux options of the workload that it
/// inherits from; the user's own values override them. Refused (Invalid, NotFound) when the selector finds no workload.
awaitable<outcome<proto::pod_options>> resolved(client& api, std::string ns, proto::pod_options wish);

/// Whether the Job's pod may be created: its securityContexts are within the allow-list (pod_security.hpp), or its namespace has the
/// annotation `G/privileged-movers: "true"`, which a writer of BackupConfigs need not be able to set. Refused (Forbidden) with each field,
/// its value and the remedy. Only a pod beyond the list costs a request.
awaitable<outcome<void>> allowed(client& api, json::value job);

}  // namespace kopiur::gateway::kubernetes
