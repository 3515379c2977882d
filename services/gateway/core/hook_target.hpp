#pragma once
#include <string>
#include <variant>
#include <vector>

#include "common/json/value.hpp"
#include "services/gateway/core/hook_policy.hpp"
#include "services/gateway/core/refusal.hpp"

/// Decides to which address a hook's HTTP request may be sent. Each step returns what the next one must look up, or a refusal for the user.
namespace kopiur::gateway {

/// A checked address. The request is sent to it, even if its host resolves to another one by then.
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
/// A DNS name, absolute, so that search domains cannot turn it into a Service.
struct name_target {
  std::string name;  ///< with its final dot
  int port = 0;
  bool is_allowed = false;  ///< the policy names it, so its addresses need not be public
  bool operator==(name_target const&) const = default;
};
using hook_target = std::variant<hook_endpoint, service_target, name_target>;

/// What the host and port of a URL mean to a hook of `ns`. A host without a dot, and `name.ns`, are Services of that namespace.
outcome<hook_target> target_of(std::string_view host, int port, std::string_view ns, hook_policy const& policy);

/// Checks the addresses that a name resolved to. One forbidden address refuses them all: the DNS answer may change between two lookups.
outcome<std::vector<hook_endpoint>> resolved(name_target const& target, std::vector<std::string> const& addresses,
                                             hook_policy const& policy);

/// The claim of an EndpointSlice that this pod has this address. The Pod must prove it, since users may write EndpointSlices.
struct claimed_endpoint {
  std::string pod;
  hook_endpoint endpoint;
};
/// The ready endpoints of a Service at one of its ports, from the slices of the cluster's own controller. Refused: a Service without a
/// selector, an ExternalName, a port that the Service does not have, and a Service without ready endpoints.
outcome<std::vector<claimed_endpoint>> endpoints_of(json::value const& service, json::array const& slices, int port);
/// Checks the claim against the live Pod: the Service selects it, it is ready, it has that address, and it is not on the host network.
outcome<void> prove(claimed_endpoint const& claim, json::value const& pod, json::value const& service);

}  // namespace kopiur::gateway
