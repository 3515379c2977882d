#pragma once
#include "proto/kinds/backup_config.hpp"
#include "services/gateway/adapters/kubernetes/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// What the user wishes for the mover's pod (spec/kopiur.md, `mover`), with what stands elsewhere in the cluster filled in: the security
/// contexts of a pod that it is to be like. Refused in words: a privileged mover in a namespace that does not allow it (annotation
/// `G/privileged-movers: "true"`, which who may write BackupConfigs there need not be able to set), and a selector that finds no running
/// pod.
awaitable<outcome<proto::mover_options>> resolved(client& api, std::string ns, proto::mover_options wish);

}  // namespace kopiur::gateway::kubernetes
