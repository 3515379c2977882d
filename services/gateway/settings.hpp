#pragma once
#include "services/gateway/config.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::gateway {

/// KOPIUR_ADAPTER: `local` (unless told) or `kubernetes`. KOPIUR_RESTORE_BY_REQUEST=true: outsiders may ask for restores by a message.
/// Local: KOPIUR_DATA, the data folder; KOPIUR_MANIFESTS, the folder of manifests; KOPIUR_MOVER, the mover's program.
/// Kubernetes: KOPIUR_MOVER_IMAGE, and where wanted KOPIUR_MOVER_PULL_POLICY; KOPIUR_KUBECONFIG and KOPIUR_CONTEXT outside a pod;
/// KOPIUR_NAMESPACE, where our notes lie; KOPIUR_ONLY_NAMESPACE, the one that is served; KOPIUR_WEBHOOK, the address to answer reviews on,
/// with KOPIUR_WEBHOOK_CERTIFICATE and KOPIUR_WEBHOOK_KEY, or where those are ours to make KOPIUR_WEBHOOK_SERVICE, KOPIUR_WEBHOOK_SECRET
/// and KOPIUR_WEBHOOK_CONFIGURATION; KOPIUR_HOOKS_HTTP_ALLOW, entries of hook_policy between commas; KOPIUR_CLUSTER_DOMAIN.
options options_of(runtime::settings const& with);

}  // namespace kopiur::gateway
