#include "services/gateway/kubernetes/jobs/pod_options.hpp"

#include "proto/core/kubernetes.hpp"
#include "services/gateway/kubernetes/jobs/pod_security.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"
#include "services/gateway/kubernetes/objects/workload.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;

namespace {

/// The existing value with the user's value merged into it.
std::optional<value> merged(std::optional<value> there, std::optional<value> const& said) {
  if (!there) return said;
  if (said) json::merge(*there, *said);
  return there;
}

/// The identity that owns the workload's files, and so lets a mover read them. Other fields concern the workload's own container.
std::optional<value> identity_of(value const* context) {
  if (!context || !context->is_object()) return {};
  auto out = value::make_object();
  for (auto name : {"runAsUser", "runAsGroup", "runAsNonRoot", "fsGroup", "fsGroupChangePolicy", "supplementalGroups", "seLinuxOptions"})
    if (auto* there = context->find(name)) out.set(name, *there);
  return out;
}

}  // namespace

awaitable<outcome<proto::pod_options>> resolved(client& api, std::string ns, proto::pod_options wish) {
  if (auto from = std::exchange(wish.inherit_security_context_from, std::nullopt)) {
    auto pod = co_await pod_spec_of(api, ns, from->pod_selector);
    if (!pod) co_return refuse(pod.error().code, "mover.inheritSecurityContextFrom: " + pod.error().message);
    auto* containers = pod->find("containers");
    auto* first = containers && containers->as_array() && !containers->as_array()->empty() ? &containers->as_array()->front() : nullptr;
    wish.pod_security_context = merged(identity_of(pod->find("securityContext")), wish.pod_security_context);
    wish.security_context = merged(identity_of(first ? first->find("securityContext") : nullptr), wish.security_context);
  }
  co_return wish;
}

awaitable<outcome<void>> allowed(client& api, value job) {
  auto* pod = job.at("spec.template.spec");
  auto beyond = beyond_restricted(pod ? *pod : value());
  if (beyond.empty()) co_return outcome<void>();
  auto ns = co_await api.ask({.path = path_of(*resource_of(proto::core_namespace::info.kind),
                                              key_to<proto::core_namespace>("", std::string(job.text("metadata.namespace"))))});
  if (!ns) co_return refused(ns.error());
  co_return consent(*ns, beyond);
}

}  // namespace kopiur::gateway::kubernetes
