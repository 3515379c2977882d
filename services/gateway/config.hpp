#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"

namespace kopiur::gateway {

/// Settings of the gateway with the Kubernetes adapter.
struct kubernetes_options {
  std::string kubeconfig;      ///< a file; empty: as the service account of the pod that we are
  std::string context;         ///< of the kubeconfig; empty: its current one
  std::string own_namespace;   ///< where our notes lie; empty: the namespace of the context, or of the pod
  std::string only_namespace;  ///< the one that is served; empty: all
  std::string mover_image;
  std::string mover_pull_policy = "IfNotPresent";
  std::vector<std::string> hooks_http_allow;     ///< what HTTP hooks may reach besides (core/hook_policy.hpp)
  std::string cluster_domain = "cluster.local";  ///< of the names of Services
  std::string webhook;                           ///< the address to answer reviews on; empty: none are answered
  std::string webhook_certificate = "/etc/kopiur/webhook/tls.crt", webhook_key = "/etc/kopiur/webhook/tls.key";  ///< PEM files
  /// Where the certificate is ours to make, instead of those files: the Service that is called, the Secret to keep it in, both in our own
  /// namespace, and the ValidatingWebhookConfiguration that has to trust it. All three, or none.
  std::string webhook_service, webhook_secret, webhook_configuration;
};
KOPIUR_DESCRIBE(kubernetes_options, (),
                (kubeconfig, context, own_namespace, only_namespace, mover_image, mover_pull_policy, hooks_http_allow, cluster_domain,
                 webhook, webhook_certificate, webhook_key, webhook_service, webhook_secret, webhook_configuration))

/// Settings of the gateway: of the local adapter, unless `kubernetes` is set.
struct options {
  std::string cluster = "local";                 ///< the token in subjects
  std::string data = "kopiur-data";              ///< data folder, ours alone
  std::string manifests;                         ///< folder of manifests, only read; empty: none
  std::string mover = "kopiur-mover";            ///< the mover's program, searched in PATH when it has no slash
  bool restore_by_request = false;               ///< whether outsiders may ask for restores
  bool stand_by = false;                         ///< a replica: wait for a data folder that another process has
  std::optional<kubernetes_options> kubernetes;  ///< instead of the folder
};
KOPIUR_DESCRIBE(options, (), (cluster, data, manifests, mover, restore_by_request, stand_by, kubernetes))

}  // namespace kopiur::gateway
