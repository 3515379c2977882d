#pragma once
#include "services/gateway/shell/options.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::gateway {

/// KOPIUR_ADAPTER: `local` (the default) or `kubernetes`. KOPIUR_RESTORE_BY_REQUEST=true: external senders may request restores by a
/// message.
/// Local: KOPIUR_DATA, the data folder; KOPIUR_MANIFESTS, the folder of manifests; KOPIUR_MOVER, the mover's program.
/// Kubernetes: KOPIUR_MOVER_IMAGE, and optionally KOPIUR_MOVER_PULL_POLICY and KOPIUR_MOVER_RESOURCES (JSON); KOPIUR_IMAGES,
/// comma-separated role=image, for the containers that plans state; KOPIUR_KUBECONFIG and KOPIUR_CONTEXT outside a pod; KOPIUR_NAMESPACE,
/// where the gateway stores its notes; KOPIUR_ONLY_NAMESPACE, the only namespace that is served; KOPIUR_WEBHOOK, the address that serves
/// admission reviews. The certificate of the webhook: KOPIUR_WEBHOOK_CERTIFICATE and KOPIUR_WEBHOOK_KEY, or, where the gateway issues it,
/// KOPIUR_WEBHOOK_SERVICE, KOPIUR_WEBHOOK_SECRET and KOPIUR_WEBHOOK_CONFIGURATION. KOPIUR_WEBHOOK_CLIENT_CA, PEM, where the webhook's
/// clients need a certificate. KOPIUR_HOOKS_HTTP_ALLOW, comma-separated entries of hook_policy; KOPIUR_CLUSTER_DOMAIN.
options options_of(runtime::settings const& settings);

}  // namespace kopiur::gateway
