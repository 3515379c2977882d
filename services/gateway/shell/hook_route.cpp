#include "services/gateway/shell/hook_route.hpp"

namespace kopiur::gateway {

using proto::answer_code;

namespace {

using route = outcome<std::vector<hook_endpoint>>;

/// Limit of Pod reads; after it the Service counts as having no reachable pod.
constexpr std::size_t most_reads = 16;

// One overload for each kind of target.
struct router {
  gateway::cluster& cluster;
  name_resolver const& resolve;
  hook_policy const& policy;
  std::string const& ns;

  awaitable<route> operator()(hook_endpoint endpoint) { co_return std::vector{std::move(endpoint)}; }

  awaitable<route> operator()(name_target name) {
    auto addresses = co_await resolve(name.name);
    if (addresses) co_return resolved(name, *addresses, policy);
    co_return refuse(answer_code::Unavailable, addresses.error() + ". A Service of another namespace is not reached by its name.");
  }

  awaitable<route> operator()(service_target target) {
    auto service = co_await cluster.read({"Service", ns, target.name, ""});
    if (!service) co_return std::unexpected(service.error());
    auto slices = co_await cluster.endpoint_slices(ns, target.name);
    if (!slices) co_return std::unexpected(slices.error());
    auto claims = endpoints_of(*service, *slices, target.port);
    if (!claims) co_return std::unexpected(claims.error());
    if (claims->size() > most_reads) claims->resize(most_reads);
    co_return co_await first_proven(*std::move(claims), *std::move(service));
  }

  /// `claims` is not empty.
  awaitable<route> first_proven(std::vector<claimed_endpoint> claims, json::value service) {
    refusal why;
    for (auto& claim : claims) {
      auto pod = co_await cluster.read({"Pod", ns, claim.pod, ""});
      auto proof = pod ? prove(claim, *pod, service) : std::unexpected(pod.error());
      if (proof) co_return std::vector{std::move(claim.endpoint)};
      why = std::move(proof.error());
    }
    co_return std::unexpected(std::move(why));
  }
};

}  // namespace

awaitable<route> route_of(cluster& cluster, name_resolver const& resolve, hook_policy const& policy, std::string ns, std::string url) {
  auto where = http::parse_url(url);
  if (!where) co_return refuse(answer_code::Invalid, where.error());
  auto target = target_of(where->host, std::stoi(where->port), ns, policy);
  if (!target) co_return std::unexpected(target.error());
  router walk{cluster, resolve, policy, ns};
  co_return co_await std::visit([&](auto& one) { return walk(std::move(one)); }, *target);
}

}  // namespace kopiur::gateway
