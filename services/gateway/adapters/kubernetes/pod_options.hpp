#pragma once
#include "proto/kopiur/backup_config.hpp"
#include "services/gateway/adapters/kubernetes/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// What the user wishes for the mover's pod (spec/kopiur.md, `mover`), with user, groups and SELinux options of the pod that it is to be
/// like filled in; what the user says himself goes over them. Refused (Invalid, NotFound) where its selector finds no running pod.
awaitable<outcome<proto::mover_options>> resolved(client& api, std::string ns, proto::mover_options wish);

/// Whether the Job's pod may be made: its securityContexts are within the allow-list (pod_security.hpp), or its namespace is annotated with
/// `G/privileged-movers: "true"`, which who may write BackupConfigs there need not be able to set. Refused (Forbidden) with each field, its
/// value and what to do. Only a pod beyond the list costs a request.
awaitable<outcome<void>> allowed(client& api, json::value job);

}  // namespace kopiur::gateway::kubernetes
