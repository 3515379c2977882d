#include <cstdlib>
#include <stdexcept>

#include "services/gateway/service.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace {

using namespace kopiur;

std::string variable(char const* name, std::string otherwise = "") {
  auto* value = std::getenv(name);
  return value ? value : otherwise;
}

/// KOPIUR_ADAPTER: `local` (unless told) or `kubernetes`. KOPIUR_RESTORE_BY_REQUEST=true: outsiders may ask for restores by a message.
/// Local: KOPIUR_DATA, the data folder; KOPIUR_MANIFESTS, the folder of manifests; KOPIUR_MOVER, the mover's program.
/// Kubernetes: KOPIUR_MOVER_IMAGE, and where wanted KOPIUR_MOVER_PULL_POLICY; KOPIUR_KUBECONFIG and KOPIUR_CONTEXT outside a pod;
/// KOPIUR_NAMESPACE, where our notes lie; KOPIUR_ONLY_NAMESPACE, the one that is served; KOPIUR_WEBHOOK, the address to answer reviews on,
/// with KOPIUR_WEBHOOK_CERTIFICATE and KOPIUR_WEBHOOK_KEY, or where those are ours to make KOPIUR_WEBHOOK_SERVICE, KOPIUR_WEBHOOK_SECRET
/// and KOPIUR_WEBHOOK_CONFIGURATION.
gateway::options options_for(runtime::settings const& with) {
  gateway::options how{.cluster = with.cluster,
                       .data = variable("KOPIUR_DATA", "kopiur-data"),
                       .manifests = variable("KOPIUR_MANIFESTS"),
                       .mover = variable("KOPIUR_MOVER", "kopiur-mover"),
                       .restore_by_request = variable("KOPIUR_RESTORE_BY_REQUEST") == "true",
                       .stand_by = true};
  if (with.adapter == "kubernetes")
    how.kubernetes = {.kubeconfig = variable("KOPIUR_KUBECONFIG"),
                      .context = variable("KOPIUR_CONTEXT"),
                      .own_namespace = variable("KOPIUR_NAMESPACE"),
                      .only_namespace = variable("KOPIUR_ONLY_NAMESPACE"),
                      .mover_image = variable("KOPIUR_MOVER_IMAGE"),
                      .mover_pull_policy = variable("KOPIUR_MOVER_PULL_POLICY", "IfNotPresent"),
                      .webhook = variable("KOPIUR_WEBHOOK"),
                      .webhook_certificate = variable("KOPIUR_WEBHOOK_CERTIFICATE", "/etc/kopiur/webhook/tls.crt"),
                      .webhook_key = variable("KOPIUR_WEBHOOK_KEY", "/etc/kopiur/webhook/tls.key"),
                      .webhook_service = variable("KOPIUR_WEBHOOK_SERVICE"),
                      .webhook_secret = variable("KOPIUR_WEBHOOK_SECRET"),
                      .webhook_configuration = variable("KOPIUR_WEBHOOK_CONFIGURATION")};
  else if (with.adapter != "local")
    throw std::invalid_argument("KOPIUR_ADAPTER is \"" + with.adapter + "\": it has to be local or kubernetes.");
  return how;
}

}  // namespace

int main() { return runtime::run<gateway::service, gateway::options>("gateway", options_for); }
