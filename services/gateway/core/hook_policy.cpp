#include "services/gateway/core/hook_policy.hpp"

#include <algorithm>
#include <ranges>

#include "common/encoding/number.hpp"
#include "proto/kopiur/hook_headers.hpp"

namespace kopiur::gateway {

namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }
bool is_letter(char c) { return is_letter_or_digit(c) && !(c >= '0' && c <= '9'); }

bool is_label(std::string_view text) {
  return !text.empty() && text.size() <= 63 && text.front() != '-' && text.back() != '-' &&
         std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_'; });
}

std::optional<int> port_number(std::string_view text) {
  auto port = encoding::whole_number<int>(text);
  return port && text.size() <= 5 && *port >= 1 && *port <= 65535 ? port : std::nullopt;
}

/// An entry's target and, after a colon, its port. IPv6 needs brackets when a port follows.
struct entry_parts {
  std::string_view target;
  std::optional<std::string_view> port;
};
entry_parts split(std::string_view entry) {
  if (auto end = entry.find("]:"); entry.starts_with('[') && end != entry.npos && entry.substr(0, end).contains(':'))
    return {entry.substr(1, end - 1), entry.substr(end + 2)};
  auto colon = entry.find(':');
  if (colon == entry.npos || entry.find(':', colon + 1) != entry.npos) return {entry, {}};
  return {entry.substr(0, colon), entry.substr(colon + 1)};
}

/// `*.example.org` as `.example.org`. A name needs a dot: hosts without one are Services of the hook's own namespace.
std::optional<std::string> name_pattern(std::string_view target, std::string_view cluster_domain) {
  bool wildcard = target.starts_with("*.");
  auto name = wildcard ? target.substr(2) : target;
  if (!is_host_name(name) || (!wildcard && !name.contains('.'))) return {};
  return (wildcard ? "." : "") + canonical_host(name, cluster_domain);
}

std::expected<hook_permit, std::string> parse_permit(std::string_view entry, std::string_view cluster_domain) {
  auto wrong = [&](std::string const& why) { return std::unexpected("httpAllow has the entry \"" + std::string(entry) + "\": " + why); };
  auto parts = split(entry);
  hook_permit out;
  if (parts.port && !(out.port = port_number(*parts.port))) return wrong("its port has to be a number from 1 to 65535.");
  auto range = encoding::parse_ip_range(parts.target);
  if (range) return out.target = *range, out;
  if (parts.target.contains('/') || parts.target.contains(':')) return wrong(range.error());
  auto name = name_pattern(parts.target, cluster_domain);
  if (!name) return wrong("write a CIDR, an IP address, a host name with a dot, or *.suffix, each with :port where one port is meant.");
  return out.target = std::move(*name), out;
}

bool matches(std::string_view pattern, std::string_view host) {
  return pattern.starts_with('.') ? host.size() > pattern.size() && host.ends_with(pattern) : host == pattern;
}

bool has_port(hook_permit const& permit, int port) { return !permit.port || *permit.port == port; }

}  // namespace

std::expected<hook_policy, std::string> parse_hook_policy(std::vector<std::string> const& entries, std::string cluster_domain) {
  if (!is_host_name(cluster_domain)) return std::unexpected("The cluster domain \"" + cluster_domain + "\" is not a domain name.");
  hook_policy out{.allow = {}, .cluster_domain = canonical_host(cluster_domain, {})};
  for (auto const& each : entries) {
    auto permit = parse_permit(each, out.cluster_domain);
    if (!permit) return std::unexpected(permit.error());
    out.allow.push_back(std::move(*permit));
  }
  return out;
}

std::string canonical_host(std::string_view host, std::string_view cluster_domain) {
  if (host.ends_with('.')) host.remove_suffix(1);
  auto out = proto::lower_case(host);
  auto service_suffix = ".svc." + std::string(cluster_domain);
  if (!cluster_domain.empty() && out.ends_with(service_suffix)) out.resize(out.size() - cluster_domain.size() - 1);
  return out;
}

bool is_host_name(std::string_view host) {
  if (host.empty() || host.size() > 253 || !is_letter(host[host.rfind('.') + 1])) return false;
  return std::ranges::all_of(host | std::views::split('.'), [](auto part) { return is_label({part.begin(), part.end()}); });
}

bool allows(hook_policy const& policy, std::string_view host, int port) {
  return std::ranges::any_of(policy.allow, [&](hook_permit const& each) {
    auto* name = std::get_if<std::string>(&each.target);
    return name && has_port(each, port) && matches(*name, host);
  });
}

bool allows(hook_policy const& policy, encoding::ip_address const& address, int port) {
  return std::ranges::any_of(policy.allow, [&](hook_permit const& each) {
    auto* range = std::get_if<encoding::ip_range>(&each.target);
    return range && has_port(each, port) &&
           (encoding::contains(*range, address) || encoding::contains(*range, encoding::behind_nat64(address)));
  });
}

}  // namespace kopiur::gateway
