#include "services/gateway/core/hook_target.hpp"

#include <algorithm>

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {

using json::value;
using proto::answer_code;

namespace {

constexpr std::string_view slice_controller = "endpointslice-controller.k8s.io";

std::unexpected<refusal> forbidden(std::string const& why) {
  constexpr char const* fix =
      " A hook reaches Services of its own namespace and public addresses; the operator of kopiur can allow more in "
      "global.hooks.httpAllow.";
  return refuse(answer_code::Forbidden, why + fix);
}

/// The array at that path; an empty one when it does not exist.
json::array const& list_at(value const& object, std::string_view path) {
  static json::array const none;
  auto* found = object.at(path);
  auto* items = found ? found->as_array() : nullptr;
  return items ? *items : none;
}

std::string text_of(hook_endpoint const& endpoint) {
  return (endpoint.ip.contains(':') ? "[" + endpoint.ip + "]" : endpoint.ip) + ":" + std::to_string(endpoint.port);
}

outcome<hook_target> address_target(encoding::ip_address const& address, int port, hook_policy const& policy) {
  if (encoding::is_public(address) || allows(policy, address, port)) return hook_endpoint{encoding::ip_text(address), port};
  return forbidden("The address " + encoding::ip_text(address) + " is not a public one: name the Service in place of its address.");
}

outcome<hook_target> service_of(std::string_view name, std::string_view ns, int port) {
  if (is_label_name(name)) return service_target{std::string(name), port};
  return refuse(answer_code::Invalid, "\"" + std::string(name) + "\" cannot be the name of a Service in " + std::string(ns) + ".");
}

/// `name.namespace.svc`, in this namespace only.
outcome<hook_target> service_by_full_name(std::string_view host, std::string_view ns, int port) {
  auto name = host.substr(0, host.find('.'));
  if (host == std::string(name) + "." + std::string(ns) + ".svc") return service_of(name, ns, port);
  return forbidden("The host " + std::string(host) + " is not a Service of the namespace " + std::string(ns) + ".");
}

/// A canonical host as the DNS knows it.
std::string absolute(std::string_view host, hook_policy const& policy) {
  return std::string(host) + (host.ends_with(".svc") ? "." + policy.cluster_domain : "") + ".";
}

bool is_of_cluster(std::string_view host, hook_policy const& policy) {
  return host == policy.cluster_domain || host.ends_with("." + policy.cluster_domain);
}

/// A port without a protocol is a TCP port.
bool is_tcp(value const& port) {
  auto protocol = port.text("protocol");
  return protocol.empty() || protocol == "TCP";
}

std::optional<int> number_at(value const& object, std::string_view path) {
  auto* found = object.at(path);
  auto* number = found ? found->as_int() : nullptr;
  return number && *number >= 1 && *number <= 65535 ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::string title_of(value const& service) {
  return "The Service " + std::string(service.text("metadata.namespace")) + "/" + std::string(service.text("metadata.name"));
}

/// The Service's TCP ports, for a sentence.
std::string ports_of(value const& service) {
  std::string out;
  for (auto const& each : list_at(service, "spec.ports"))
    if (auto number = number_at(each, "port"); number && is_tcp(each)) out += (out.empty() ? "" : ", ") + std::to_string(*number);
  return out.empty() ? "no TCP port" : "the TCP ports " + out;
}

value const* port_of(value const& service, int port) {
  auto const& all = list_at(service, "spec.ports");
  auto found = std::ranges::find_if(all, [&](value const& each) { return number_at(each, "port") == port && is_tcp(each); });
  return found == all.end() ? nullptr : &*found;
}

json::object const& selector_of(value const& service) {
  static json::object const none;
  auto* found = service.at("spec.selector");
  auto* members = found ? found->as_object() : nullptr;
  return members ? *members : none;
}

bool is_of(value const& slice, value const& service) {
  return label(slice, "kubernetes.io/service-name") == service.text("metadata.name") &&
         label(slice, "endpointslice.kubernetes.io/managed-by") == slice_controller &&
         slice.text("metadata.namespace") == service.text("metadata.namespace");
}

/// The port of a slice's endpoints that has the name of the Service's port.
std::optional<int> target_port(value const& slice, value const& service_port) {
  for (auto const& each : list_at(slice, "ports"))
    if (each.text("name") == service_port.text("name") && is_tcp(each)) return number_at(each, "port");
  return {};
}

bool is_ready(value const& endpoint) {
  auto* ready = endpoint.at("conditions.ready");
  auto* said = ready ? ready->as_bool() : nullptr;
  return !said || *said;  // absent: unknown, counts as ready. The Pod has to prove it
}

bool names_pod_of(value const& endpoint, std::string_view ns) {
  auto pod_namespace = endpoint.text("targetRef.namespace");
  return endpoint.text("targetRef.kind") == "Pod" && is_object_name(endpoint.text("targetRef.name")) &&
         (pod_namespace.empty() || pod_namespace == ns);
}

void add_endpoints(value const& slice, int port, std::vector<claimed_endpoint>& out) {
  for (auto const& each : list_at(slice, "endpoints")) {
    if (!is_ready(each) || !names_pod_of(each, slice.text("metadata.namespace"))) continue;
    for (auto const& address : list_at(each, "addresses"))
      if (auto ip = address.as_string() ? encoding::parse_ip(*address.as_string()) : std::nullopt)
        out.push_back({std::string(each.text("targetRef.name")), {encoding::ip_text(*ip), port}});
  }
}

bool has_address(value const& pod, std::string_view ip) {
  auto wanted = encoding::parse_ip(ip);
  auto const& all = list_at(pod, "status.podIPs");
  return wanted && std::ranges::any_of(all, [&](value const& each) { return encoding::parse_ip(each.text("ip")) == wanted; });
}

bool has_ready_condition(value const& pod) {
  return std::ranges::any_of(list_at(pod, "status.conditions"),
                             [](value const& each) { return each.text("type") == "Ready" && each.text("status") == "True"; });
}

bool is_on_host_network(value const& pod) {
  auto* found = pod.at("spec.hostNetwork");
  return found && found->as_bool() && *found->as_bool();
}

bool is_selected(value const& pod, value const& service) {
  auto const& selector = selector_of(service);
  if (selector.empty() || pod.text("metadata.namespace") != service.text("metadata.namespace")) return false;
  return std::ranges::all_of(selector, [&](json::member const& each) {
    auto* labels = pod.at("metadata.labels");
    auto* found = labels ? labels->find(each.first) : nullptr;
    return found && *found == each.second;
  });
}

}  // namespace

outcome<hook_target> target_of(std::string_view host, int port, std::string_view ns, hook_policy const& policy) {
  if (auto address = encoding::parse_ip(host)) return address_target(*address, port, policy);
  auto name = canonical_host(host, policy.cluster_domain);
  if (!name.contains('.')) return service_of(name, ns, port);
  if (!is_host_name(name)) return refuse(answer_code::Invalid, "\"" + std::string(host) + "\" is neither a host name nor an IP address.");
  if (allows(policy, name, port)) return name_target{absolute(name, policy), port, true};
  if (name.ends_with(".svc")) return service_by_full_name(name, ns, port);
  if (is_of_cluster(name, policy)) return forbidden("The host " + name + " is a name inside the cluster, but not of a Service.");
  if (name == name.substr(0, name.find('.')) + "." + std::string(ns)) return service_of(name.substr(0, name.find('.')), ns, port);
  return name_target{absolute(name, policy), port, false};
}

outcome<std::vector<hook_endpoint>> resolved(name_target const& target, std::vector<std::string> const& addresses,
                                             hook_policy const& policy) {
  std::vector<hook_endpoint> out;
  for (auto const& each : addresses) {
    auto address = encoding::parse_ip(each);
    if (!address || !(target.is_allowed || encoding::is_public(*address) || allows(policy, *address, target.port)))
      return forbidden("The host " + target.name + " resolves to " + each + ", which is not a public address.");
    out.push_back({encoding::ip_text(*address), target.port});
  }
  if (out.empty()) return refuse(answer_code::Unavailable, "The host " + target.name + " has no address.");
  return out;
}

outcome<std::vector<claimed_endpoint>> endpoints_of(value const& service, json::array const& slices, int port) {
  auto title = title_of(service);
  if (service.text("spec.type") == "ExternalName") return forbidden(title + " is an ExternalName: it leads to any host.");
  if (selector_of(service).empty()) return forbidden(title + " has no selector: its endpoints are not pods that the cluster chose.");
  auto* service_port = port_of(service, port);
  if (!service_port)
    return refuse(answer_code::Invalid, title + " has " + ports_of(service) + ", not " + std::to_string(port) + ": name one in the URL.");
  std::vector<claimed_endpoint> out;
  for (auto const& slice : slices)
    if (auto target = is_of(slice, service) ? target_port(slice, *service_port) : std::nullopt) add_endpoints(slice, *target, out);
  if (out.empty()) return refuse(answer_code::Unavailable, title + " has no ready pod: look at its pods and its selector.");
  return out;
}

outcome<void> prove(claimed_endpoint const& claim, value const& pod, value const& service) {
  auto title = title_of(service) + " has the endpoint " + text_of(claim.endpoint) + ", but its pod " + claim.pod;
  if (!is_selected(pod, service)) return forbidden(title + " does not have the labels of the Service's selector.");
  if (is_on_host_network(pod)) return forbidden(title + " uses the network of its node.");
  if (!has_address(pod, claim.endpoint.ip)) return forbidden(title + " does not have that address.");
  if (!has_ready_condition(pod) || is_terminating(pod)) return refuse(answer_code::Unavailable, title + " is not ready.");
  return {};
}

}  // namespace kopiur::gateway
