#include "services/gateway/adapters/kubernetes/pod_options.hpp"

#include <algorithm>
#include <array>

#include "services/gateway/adapters/kubernetes/kinds.hpp"
#include "services/gateway/adapters/kubernetes/running_pod.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;
using proto::answer_code;

namespace {

/// What is there, with what the user says laid over it.
std::optional<value> merged(value const* there, std::optional<value> const& said) {
  if (!there) return said;
  auto out = *there;
  if (said) json::merge(out, *said);
  return out;
}

/// More than reading and writing other people's files needs: with it a container is no wall any more.
bool is_elevated(proto::mover_options const& wish) {
  if (wish.privileged_mode) return true;
  if (!wish.security_context) return false;
  auto says = [&](char const* name) {
    auto* there = wish.security_context->find(name);
    return there && there->as_bool() && *there->as_bool();
  };
  static constexpr std::array<std::string_view, 5> of_files{"CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID"};
  auto* added = wish.security_context->at("capabilities.add");
  bool more = added && added->as_array() && std::ranges::any_of(*added->as_array(), [](value const& each) {
                return !each.as_string() || std::ranges::find(of_files, *each.as_string()) == of_files.end();
              });
  return more || says("privileged") || says("allowPrivilegeEscalation") || wish.security_context->find("procMount");
}

awaitable<outcome<void>> allow_elevated(client& api, std::string const& ns) {
  auto there = co_await api.ask({.path = path_of(*resource_of("Namespace"), {"Namespace", "", ns})});
  if (!there) co_return refuse(there.error().code, there.error().message);
  if (annotation(*there, ours("privileged-movers")) == "true") co_return outcome<void>();
  co_return refuse(answer_code::Forbidden, "mover.privilegedMode is not allowed in the namespace " + ns +
                                               ": who may annotate it has to set " + ours("privileged-movers") + ": \"true\" there.");
}

}  // namespace

awaitable<outcome<proto::mover_options>> resolved(client& api, std::string ns, proto::mover_options wish) {
  if (auto from = std::exchange(wish.inherit_security_context_from, std::nullopt)) {
    auto pod = co_await running_pod(api, ns, from->pod_selector);
    if (!pod) co_return refuse(pod.error().code, "mover.inheritSecurityContextFrom: " + pod.error().message);
    auto* containers = pod->at("spec.containers");
    auto* first = containers && containers->as_array() && !containers->as_array()->empty() ? &containers->as_array()->front() : nullptr;
    wish.pod_security_context = merged(pod->at("spec.securityContext"), wish.pod_security_context);
    wish.security_context = merged(first ? first->find("securityContext") : nullptr, wish.security_context);
  }
  if (is_elevated(wish))
    if (auto allowed = co_await allow_elevated(api, ns); !allowed) co_return std::unexpected(allowed.error());
  co_return wish;
}

}  // namespace kopiur::gateway::kubernetes
