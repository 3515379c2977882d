#pragma once
#include <expected>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/encoding/ip_address.hpp"

namespace kopiur::gateway {

/// One entry of `global.hooks.httpAllow`: what an operator allows hooks to reach in addition to Services of their namespace and public
/// addresses.
struct hook_permit {
  std::variant<encoding::ip_range, std::string> target;  ///< a range; a name in lower case; or `.suffix`: each name with that ending
  std::optional<int> port;                               ///< nothing: all ports
};

/// Where the HTTP requests of hooks may go in a cluster.
struct hook_policy {
  std::vector<hook_permit> allow;
  std::string cluster_domain = "cluster.local";
};

/// Parses entries such as `10.1.0.0/16`, `10.1.2.3:8080`, `[fd00::/8]:443`, `hooks.example.org` and `*.example.org:443`. The error sentence
/// names the entry that is not valid.
std::expected<hook_policy, std::string> parse_hook_policy(std::vector<std::string> const& entries, std::string cluster_domain);

/// A host in the form that policies and targets compare: lower case, no final dot, a Service as `name.namespace.svc`.
std::string canonical_host(std::string_view host, std::string_view cluster_domain);
/// Labels of letters, digits, `-` and `_`. The last label starts with a letter, so no resolver reads it as a number.
bool is_host_name(std::string_view host);

/// Whether an entry names this canonical host.
bool allows(hook_policy const& policy, std::string_view host, int port);
/// Whether an entry names this address, or the IPv4 address that it reaches through NAT64.
bool allows(hook_policy const& policy, encoding::ip_address const& address, int port);

}  // namespace kopiur::gateway
