#include "services/systems/hypershift/health.hpp"

#include "services/controller/core/recent_looks.hpp"

namespace kopiur::hypershift {

using namespace proto;
using controller::ask;
using state = etcd_health::state;

namespace {

constexpr duration look_every{10'000};
constexpr std::string_view etcd = "etcd";

std::int64_t number(json::value const& object, std::string_view path) {
  auto* found = object.at(path);
  return found && found->as_int() ? *found->as_int() : 0;
}

/// Why not all members are ready; empty: they are.
std::string unready(json::value const& stateful_set, std::string const& ns) {
  auto wanted = std::max<std::int64_t>(number(stateful_set, "spec.replicas"), 1), ready = number(stateful_set, "status.readyReplicas");
  if (ready >= wanted) return {};
  return std::to_string(ready) + " of " + std::to_string(wanted) + " members of etcd in " + ns + " are ready.";
}

/// Asks a member, whose answer needs the quorum: one that is ready may have lost it.
exec_in_pod health_check(std::string const& run, std::string const& ns) {
  return {.run = run,
          .namespace_ = ns,
          .pod_selector = {.match_labels = {{"app", std::string(etcd)}}},
          .container = std::string(etcd),
          .command = {"/usr/bin/etcdctl", "--endpoints=https://etcd-client." + ns + ".svc:2379", "--cacert=/etc/etcd/tls/etcd-ca/ca.crt",
                      "--cert=/etc/etcd/tls/client/etcd-client.crt", "--key=/etc/etcd/tls/client/etcd-client.key", "--command-timeout=10s",
                      "endpoint", "health"},
          .timeout_seconds = 20};
}

/// The right to run commands in pods is missing: readiness has to do then.
bool is_off(answer const& said) { return said.code == answer_code::Forbidden; }

etcd_health unhealthy(etcd_health seen, std::string message) {
  seen.is = state::unhealthy, seen.message = std::move(message);
  return seen;
}

}  // namespace

etcd_health look_at_etcd(controller::cluster_view const& all, std::string const& ns, std::string const& run) {
  etcd_health seen{.message = "The etcd of " + ns + " is being checked.", .look_again = all.now + look_every};
  controller::recent_looks looks(all, run, look_every);
  auto* members = looks.take("etcd", read_object{{"StatefulSet", ns, std::string(etcd), {}}}, seen.asks);
  if (!members) return seen;
  if (members->code == answer_code::NotFound) return unhealthy(std::move(seen), "There is no StatefulSet etcd in " + ns + ".");
  if (members->code != answer_code::Ok || !members->object) {
    seen.message = "The StatefulSet etcd of " + ns + " cannot be read: " + members->message;
    return seen;
  }
  if (auto why = unready(*members->object, ns); !why.empty()) return unhealthy(std::move(seen), std::move(why));
  auto* checked = looks.take("health", health_check(run, ns), seen.asks);
  if (!checked) return seen;
  if (checked->code != answer_code::Ok && !is_off(*checked))
    return unhealthy(std::move(seen), "The etcd of " + ns + " does not answer as healthy: " + checked->message);
  seen.is = state::healthy, seen.message.clear();
  if (is_off(*checked))
    seen.remark = "Of etcd's health only the readiness of its members was checked: kopiur may not run commands in pods of " + ns + ".";
  return seen;
}

}  // namespace kopiur::hypershift
