#include "services/gateway/shell/hook_route.hpp"

#include "services/gateway/kubernetes/kubernetes_cluster.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/test/cluster/api.hpp"

/// Targets of HTTP hooks, at a real API server: Services, EndpointSlices and Pods as the server accepts and returns them, read with only
/// the rights of the chart.
namespace kopiur::gateway::kubernetes {
namespace {

using proto::answer_code;

struct stage : stage_base {
  using stage_base::stage_base;

  awaitable<void> make(std::string group_version, std::string plural, std::string body) {
    auto const path = path_of(resource{"", group_version, plural}, ns);
    must(co_await api.ask({.method = "POST", .path = path, .body = json::parse(body).value()}));
  }
  awaitable<void> service(std::string name, std::string spec) {
    co_await make("v1", "services", R"({"apiVersion":"v1","kind":"Service","metadata":{"name":")" + name + R"("},"spec":{)" + spec + "}}");
  }
  /// Written as by the cluster's controller, or by a user who imitates it.
  awaitable<void> slice(std::string service, std::string ip, std::string pod) {
    co_await make("discovery.k8s.io/v1", "endpointslices",
                  R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice","metadata":{"name":")" + service + "-" + pod +
                      R"(","labels":{"kubernetes.io/service-name":")" + service +
                      R"(","endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"}},"addressType":"IPv4",
                      "ports":[{"name":"http","port":8080,"protocol":"TCP"}],"endpoints":[{"addresses":[")" +
                      ip + R"("],"conditions":{"ready":true},"targetRef":{"kind":"Pod","name":")" + pod + R"("}}]})");
  }
  awaitable<void> pod(std::string name, std::string app, std::string ip, std::string spec = "") {
    co_await make("v1", "pods",
                  R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name + R"(","labels":{"app":")" + app + R"("}},"spec":{)" +
                      spec + R"("containers":[{"name":"c","image":"i"}]}})");
    auto status =
        R"({"status":{"podIP":")" + ip + R"(","podIPs":[{"ip":")" + ip + R"("}],"conditions":[{"type":"Ready","status":"True"}]}})";
    must(co_await api.ask({.method = "PATCH",
                           .path = path_of(*resource_of("Pod"), ns, name, "status"),
                           .body = json::parse(status).value(),
                           .content_type = "application/merge-patch+json"}));
  }
  /// Here the user `nobody` has the chart's rights for these kinds, and no others.
  awaitable<void> grant() {
    json::array rules;
    for (auto* kind : {"Service", "EndpointSlice", "Pod", "Secret"}) {
      auto& resource = *resource_of(kind);
      auto slash = resource.group_version.find('/');
      json::value verbs = json::value::make_array();
      for (auto verb : resource.verbs | std::views::split(' ')) verbs.push(std::string(verb.begin(), verb.end()));
      rules.push_back(
          json::object{{"apiGroups", json::array{slash == resource.group_version.npos ? "" : resource.group_version.substr(0, slash)}},
                       {"resources", json::array{resource.plural}},
                       {"verbs", verbs}});
    }
    json::value role = json::object{{"metadata", json::object{{"name", "gateway"}}}, {"rules", rules}};
    co_await make("rbac.authorization.k8s.io/v1", "roles", json::dump(role));
    co_await make("rbac.authorization.k8s.io/v1", "rolebindings",
                  R"({"metadata":{"name":"gateway"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"gateway"},
                      "subjects":[{"kind":"User","name":"nobody","apiGroup":"rbac.authorization.k8s.io"}]})");
  }
  awaitable<std::unique_ptr<kubernetes_cluster>> gateway() {
    return kubernetes_cluster::open(time, {.who = as("nobody"), .own_namespace = ns, .namespace_ = ns, .pods = {}});
  }
  /// `ip#port` of each, or the sentence of the refusal.
  awaitable<std::string> route(cluster& cluster, std::string url) {
    name_resolver none = [](std::string name) -> awaitable<std::expected<std::vector<std::string>, std::string>> {
      co_return std::unexpected(name + " has no address");
    };
    auto found = co_await route_of(cluster, none, *cluster.http_policy(), ns, url);
    if (!found) co_return found.error().message;
    std::string out;
    for (auto const& each : *found) out += each.ip + "#" + std::to_string(each.port);
    co_return out;
  }
};

constexpr char const* of_db = R"("selector":{"app":"db"},"ports":[{"name":"http","port":80,"targetPort":8080}])";

TEST(HookRoute, LeadsToTheProvenPodOfAService) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "hook-route");
    co_await it.make_namespace();
    co_await it.grant();
    co_await it.service("db", of_db);
    co_await it.pod("db-1", "db", "10.244.0.5");
    co_await it.slice("db", "10.244.0.5", "db-1");
    auto cluster = co_await it.gateway();
    for (auto* url : {"http://db/", "http://db.hook-route/", "http://db.hook-route.svc/", "http://db.hook-route.svc.cluster.local/"})
      EXPECT_EQ(co_await it.route(*cluster, url), "10.244.0.5#8080") << url;
  });
}

TEST(HookRoute, IsRefusedToWhatNoPodProves) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "hook-refused");
    co_await it.make_namespace();
    co_await it.grant();
    co_await it.service("external", R"("type":"ExternalName","externalName":"metadata.example.org")");
    co_await it.service("bare", R"("ports":[{"name":"http","port":80}])");
    co_await it.service("forged", R"("selector":{"app":"forged"},"ports":[{"name":"http","port":80}])");
    co_await it.service("node", R"("selector":{"app":"node"},"ports":[{"name":"http","port":80}])");
    co_await it.service("other", R"("selector":{"app":"other"},"ports":[{"name":"http","port":80}])");
    co_await it.slice("bare", "10.244.0.9", "own");
    co_await it.pod("own", "forged", "10.244.0.5");
    co_await it.slice("forged", "10.96.0.1", "own");
    co_await it.pod("host", "node", "10.0.0.7", R"("hostNetwork":true,)");
    co_await it.slice("node", "10.0.0.7", "host");
    co_await it.slice("other", "10.244.0.5", "own");
    auto cluster = co_await it.gateway();
    std::pair<char const*, char const*> const all[] = {{"http://external/", "ExternalName"},
                                                       {"http://bare/", "has no selector"},
                                                       {"http://forged/", "does not have that address"},
                                                       {"http://node/", "network of its node"},
                                                       {"http://other/", "labels of the Service's selector"},
                                                       {"http://nothing/", "There is no Service"},
                                                       {"http://db.hook-route.svc/", "not a Service of the namespace hook-refused"},
                                                       {"http://10.96.0.1/", "not a public one"}};
    for (auto const& [url, why] : all) {
      auto said = co_await it.route(*cluster, url);
      EXPECT_NE(said.find(why), std::string::npos) << url << ": " << said;
    }
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
