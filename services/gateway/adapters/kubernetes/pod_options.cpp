#include "services/gateway/adapters/kubernetes/pod_options.hpp"

#include <algorithm>
#include <array>
#include <span>

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

bool has_any_but(value const* list, std::span<std::string_view const> known) {
  return list && list->as_array() && std::ranges::any_of(*list->as_array(), [&](value const& each) {
           return !each.as_string() || std::ranges::find(known, *each.as_string()) == known.end();
         });
}

/// What a container may do beyond its user: none but what files need, and all that it would have by itself is dropped.
bool has_more_capabilities(value const& context) {
  static constexpr std::array<std::string_view, 5> of_files{"CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID"};
  auto* dropped = context.at("capabilities.drop");
  auto* list = dropped ? dropped->as_array() : nullptr;
  bool keeps_some = dropped && (!list || std::ranges::find(*list, value("ALL")) == list->end());
  return keeps_some || has_any_but(context.at("capabilities.add"), of_files);
}

/// A pod's or a container's. The walls are what the standard `baseline` wants of everybody; the user 0 alone tears down none.
bool is_elevated(std::optional<value> const& context) {
  if (!context) return false;
  auto says = [&](char const* name) {
    auto* there = context->find(name);
    return there && there->as_bool() && *there->as_bool();
  };
  auto has = [&](char const* name) { return context->find(name) && !context->find(name)->is_null(); };
  bool unconfined = context->text("seccompProfile.type") == "Unconfined" || context->text("appArmorProfile.type") == "Unconfined";
  bool of_the_host = has("procMount") || has("sysctls") || has("seLinuxOptions") || has("windowsOptions");
  return says("privileged") || says("allowPrivilegeEscalation") || unconfined || of_the_host || has_more_capabilities(*context);
}

/// More than reading and writing other people's files needs: with it a container is no wall any more.
bool is_elevated(proto::mover_options const& wish) {
  return wish.privileged_mode || is_elevated(wish.security_context) || is_elevated(wish.pod_security_context);
}

awaitable<outcome<void>> allow_elevated(client& api, std::string const& ns) {
  auto there = co_await api.ask({.path = path_of(*resource_of("Namespace"), {"Namespace", "", ns})});
  if (!there) co_return refuse(there.error().code, there.error().message);
  if (annotation(*there, ours("privileged-movers")) == "true") co_return outcome<void>();
  co_return refuse(answer_code::Forbidden,
                   "mover.privilegedMode, or a securityContext that takes down a wall of the container, is "
                   "not allowed in the namespace " +
                       ns + ": who may annotate it has to set " + ours("privileged-movers") + ": \"true\" there.");
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
