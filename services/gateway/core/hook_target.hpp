#pragma once
#include <string>
#include <variant>
#include <vector>

#include "common/json/value.hpp"
#include "services/gateway/core/hook_policy.hpp"
#include "services/gateway/core/refusal.hpp"

/// Which address a hook's HTTP request may be sent to. Each step returns what the next one needs from outside, or a refusal for the user.
namespace kopiur::gateway {

/// An address that was checked: the request is sent there, whatever its host resolves to by then.
struct hook_endpoint {
  std::string ip;
  int port = 0;
  bool operator==(hook_endpoint const&) const = default;
};
/// A Service of the hook's namespace.
struct service_target {
  std::string name;
  int port = 0;
  bool operator==(service_target const&) const = default;
};
/// A name for the DNS, absolute: search domains must not make a Service of it.
struct name_target {
  std::string name;  ///< with its final dot
  int port = 0;
  bool is_allowed = false;  ///< the policy names it, so its addresses need not be public
  bool operator==(name_target const&) const = default;
};
using hook_target = std::variant<hook_endpoint, service_target, name_target>;

/// What the host and port of a URL mean to a hook of `ns`. A host without a dot, and `name.ns`, are Services of that namespace.
outcome<hook_target> target_of(std::string_view host, int port, std::string_view ns, hook_policy const& policy);

/// The addresses that a name was resolved to. One that may not be reached refuses them all: the name could be changed under us.
outcome<std::vector<hook_endpoint>> resolved(name_target const& target, std::vector<std::string> const& addresses,
                                             hook_policy const& policy);

/// What an EndpointSlice says: this pod has this address. To be proven by the Pod itself, since users may write EndpointSlices.
struct claimed_endpoint {
  std::string pod;
  hook_endpoint at;
};
/// The ready endpoints of a Service at one of its ports, from the slices of the cluster's own controller. Refused: a Service without a
/// selector, an ExternalName, a port that it does not have, and one without ready endpoints.
outcome<std::vector<claimed_endpoint>> endpoints_of(json::value const& service, json::array const& slices, int port);
/// Nothing, where the Pod as it is now proves the claim: it is one of the Service, is ready, has that address, and has it for itself.
outcome<void> prove(claimed_endpoint const& claim, json::value const& pod, json::value const& service);

}  // namespace kopiur::gateway
