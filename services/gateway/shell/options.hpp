#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "services/controller/core/configuration.hpp"

namespace kopiur::gateway {

/// Settings of the gateway with the Kubernetes adapter.
struct kubernetes_options {
  std::string kubeconfig;      ///< path of a file; empty: use the service account of the pod
  std::string context;         ///< a context of the kubeconfig; empty: its current one
  std::string own_namespace;   ///< where the gateway stores its notes; empty: the namespace of the context, or of the pod
  std::string only_namespace;  ///< the only namespace that is served; empty: all
  std::string mover_image;     ///< may be empty where no served system has runs
  std::string mover_pull_policy = "IfNotPresent";
  std::optional<json::value> mover_resources;          ///< requests and limits of movers for which their objects state none
  std::vector<std::string> systems{"kopiur"};          ///< whose kinds are served; a cluster needs the definitions of no others
  std::string lease = "kopiur-gateway";                ///< held by the active gateway, in own_namespace; empty: this is the only one
  std::string component = "kopiur";                    ///< who reports Events
  std::string secret_selector;                         ///< labels of the Secrets that services read; empty: of all but those of Jobs
  bool private_bus = false;                            ///< the bus lives as long as this process: nothing about it is stored in the cluster
  std::map<std::string, std::string> images;           ///< of the containers that plans state, by their role
  std::map<std::string, std::string> other_operators;  ///< Deployments that may serve a system's kinds instead: `namespace/name`, by system
  std::vector<std::string> hooks_http_allow;           ///< additional targets that HTTP hooks may reach (core/hook_policy.hpp)
  std::string cluster_domain = "cluster.local";        ///< the domain of Service names
  std::string webhook;                                 ///< the address that serves admission reviews; empty: none
  std::string webhook_certificate = "/etc/kopiur/webhook/tls.crt", webhook_key = "/etc/kopiur/webhook/tls.key";  ///< PEM files
  std::string webhook_client_ca;      ///< PEM: clients of the webhook need a certificate that it signed; empty: none is needed
  bool wait_for_certificate = false;  ///< missing files are waited for; else they are an error
  /// Set where the gateway issues the certificate itself, instead of reading those files: the called Service, the Secret that stores the
  /// certificate (both in own_namespace), and the ValidatingWebhookConfiguration that has to trust it. All three, or none.
  std::string webhook_service, webhook_secret, webhook_configuration;
};
KOPIUR_DESCRIBE(kubernetes_options, (),
                (kubeconfig, context, own_namespace, only_namespace, mover_image, mover_pull_policy, mover_resources, systems, lease,
                 component, secret_selector, private_bus, images, other_operators, hooks_http_allow, cluster_domain, webhook,
                 webhook_certificate, webhook_key, webhook_client_ca, webhook_service, webhook_secret, webhook_configuration,
                 wait_for_certificate))

/// Settings of the gateway: for the local adapter, unless `kubernetes` is set.
struct options {
  std::string cluster = "local";                 ///< the token in subjects
  std::string data = "kopiur-data";              ///< data folder, used by this gateway only
  std::string manifests;                         ///< folder of manifests, read-only; empty: none
  std::string mover = "kopiur-mover";            ///< path of the mover's program; searched in PATH when it has no slash
  controller::configurations configurations;     ///< of the systems
  bool restore_by_request = false;               ///< whether external senders may request restores
  bool stand_by = false;                         ///< as a replica, wait while another process uses the data folder
  std::optional<kubernetes_options> kubernetes;  ///< the Kubernetes adapter, instead of the folder
};
KOPIUR_DESCRIBE(options, (), (cluster, data, manifests, mover, restore_by_request, stand_by, kubernetes))

}  // namespace kopiur::gateway
