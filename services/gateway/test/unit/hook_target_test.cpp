#include "services/gateway/core/hook_target.hpp"

#include <gtest/gtest.h>

#include "common/json/value.hpp"

/// Where the HTTP requests of hooks may go in a cluster.
namespace kopiur::gateway {
namespace {

using proto::answer_code;

json::value parsed(std::string const& text) { return json::parse(text).value(); }

// ---- what an operator allows

hook_policy policy(std::vector<std::string> const& entries, std::string domain = "cluster.local") {
  auto read = parse_hook_policy(entries, std::move(domain));
  if (!read) throw std::runtime_error(read.error());
  return *read;
}

TEST(Policy, TakesRangesNamesAndSuffixesEachWithAPort) {
  auto all = policy({"10.0.0.0/8", "192.168.1.5:8080", "[fd00::/8]:443", "fd12::1", "hooks.Example.org", "*.example.net:8443"});
  EXPECT_TRUE(allows(all, encoding::parse_ip("10.1.2.3").value(), 1));
  EXPECT_FALSE(allows(all, encoding::parse_ip("11.1.2.3").value(), 1));
  EXPECT_TRUE(allows(all, encoding::parse_ip("::ffff:10.1.2.3").value(), 1));
  EXPECT_TRUE(allows(all, encoding::parse_ip("64:ff9b::10.1.2.3").value(), 1));
  EXPECT_TRUE(allows(all, encoding::parse_ip("192.168.1.5").value(), 8080));
  EXPECT_FALSE(allows(all, encoding::parse_ip("192.168.1.5").value(), 80));
  EXPECT_FALSE(allows(all, encoding::parse_ip("192.168.1.6").value(), 8080));
  EXPECT_TRUE(allows(all, encoding::parse_ip("fd99::1").value(), 443));
  EXPECT_FALSE(allows(all, encoding::parse_ip("fd99::1").value(), 80));
  EXPECT_TRUE(allows(all, encoding::parse_ip("fd12::1").value(), 80));
  EXPECT_TRUE(allows(all, "hooks.example.org", 1));
  EXPECT_FALSE(allows(all, "a.hooks.example.org", 1));
  EXPECT_TRUE(allows(all, "a.b.example.net", 8443));
  EXPECT_FALSE(allows(all, "a.b.example.net", 443));
  EXPECT_FALSE(allows(all, "example.net", 8443));
  EXPECT_FALSE(allows(all, "badexample.net", 8443));
}

TEST(Policy, OfABadEntryNamesIt) {
  for (auto* bad : {"",
                    " 10.0.0.0/8",
                    "10.0.0.1/8",
                    "10.0.0.0/33",
                    "10.0.0.0/",
                    "10.0.0.0/8:0",
                    "10.0.0.0/8:70000",
                    "10.0.0.0/8:x",
                    "10.0/8",
                    "fd00::/129",
                    "fd00::1/8",
                    "[fd00::1]",
                    "[10.0.0.0/8]:80",
                    "localhost",
                    "*",
                    "*.",
                    "*.*.org",
                    "a.*.org",
                    "-a.org",
                    "a..org",
                    "http://a.org",
                    "a.org/x",
                    "a.org:",
                    "127.1",
                    "1.2.3.4.5",
                    "a b.org"}) {
    auto read = parse_hook_policy({"10.0.0.0/8", bad}, "cluster.local");
    ASSERT_FALSE(read) << bad;
    EXPECT_NE(read.error().find("\"" + std::string(bad) + "\""), std::string::npos) << read.error();
  }
  EXPECT_NE(parse_hook_policy({"10.0.0.1/8"}, "cluster.local").error().find("write 10.0.0.0/8"), std::string::npos);
  EXPECT_FALSE(parse_hook_policy({}, "cluster local"));
}

// ---- the host of a URL

hook_target target(std::string_view host, hook_policy const& by = {}, int port = 80) {
  auto read = target_of(host, port, "team", by);
  if (!read) throw std::runtime_error(read.error().message);
  return *read;
}
std::string refused(std::string_view host, hook_policy const& by = {}, int port = 80) {
  auto read = target_of(host, port, "team", by);
  return read ? "" : read.error().message;
}
hook_target dns(std::string name, bool is_allowed = false) { return name_target{std::move(name), 80, is_allowed}; }
hook_target const db = service_target{"db", 80};

TEST(Host, OfTheOwnNamespaceIsItsService) {
  for (auto* each :
       {"db", "DB", "db.", "db.team", "db.team.", "db.team.svc", "db.team.svc.", "db.team.svc.cluster.local", "db.TEAM.Svc.Cluster.Local."})
    EXPECT_EQ(target(each), db) << each;
  EXPECT_EQ(target("db.team.svc.k8s.example", policy({}, "k8s.example")), db);
}

TEST(Host, OfAnotherNamespaceIsRefused) {
  for (auto* each :
       {"db.other.svc", "db.other.svc.", "db.other.svc.cluster.local", "kubernetes.default.svc", "a.db.team.svc", "svc.svc", "team.svc",
        "team.svc.cluster.local", "db.svc.team.svc", "10-0-0-1.team.pod.cluster.local", "cluster.local", "db.other.SVC"})
    EXPECT_NE(refused(each).find("global.hooks.httpAllow"), std::string::npos) << each << ": " << refused(each);
}

TEST(Host, OfAnotherNamespaceInTwoLabelsIsAskedOfTheDnsByItsAbsoluteNameWhichTheClusterDoesNotAnswer) {
  EXPECT_EQ(target("kubernetes.default"), dns("kubernetes.default."));
  EXPECT_EQ(target("foo.bar"), dns("foo.bar."));
}

TEST(Host, OfTheInternetIsAskedOfTheDns) {
  EXPECT_EQ(target("hooks.example.org"), dns("hooks.example.org."));
  EXPECT_EQ(target("Hooks.Example.org."), dns("hooks.example.org."));
  EXPECT_EQ(target("a.team.example"), dns("a.team.example."));
}

TEST(Host, ThatIsAnAddressHasToBePublic) {
  EXPECT_EQ(target("1.1.1.1"), hook_target(hook_endpoint{"1.1.1.1", 80}));
  EXPECT_EQ(target("2606:4700::1111"), hook_target(hook_endpoint{"2606:4700::1111", 80}));
  for (auto* each : {"127.0.0.1", "169.254.169.254", "10.96.0.1", "::1", "::ffff:127.0.0.1", "fd00::1"})
    EXPECT_NE(refused(each).find("not a public one"), std::string::npos) << each;
  EXPECT_EQ(target("10.96.0.1", policy({"10.96.0.0/16:80"})), hook_target(hook_endpoint{"10.96.0.1", 80}));
  EXPECT_NE(refused("10.96.0.1", policy({"10.96.0.0/16:80"}), 81), "");
}

TEST(Host, ThatIsAnAddressInAnotherSpellingIsRefused) {
  for (auto* each : {"127.1", "0x7f.1", "0177.0.0.1", "127.0.0.0x1", "fe80::1%eth0", "a..b", "a_b", "-a", "a\\b", "%31"})
    EXPECT_NE(refused(each), "") << each;
}

TEST(Host, ThatThePolicyNamesNeedNotBePublic) {
  auto by = policy({"hooks.example.org:80", "db.other.svc", "*.shared.svc.cluster.local", "*.corp.example"});
  EXPECT_EQ(target("hooks.example.org", by), dns("hooks.example.org.", true));
  EXPECT_EQ(target("hooks.example.org", by, 81), hook_target(name_target{"hooks.example.org.", 81, false}));
  EXPECT_EQ(target("db.other.svc.cluster.local", by), dns("db.other.svc.cluster.local.", true));
  EXPECT_EQ(target("db.other.svc", by), dns("db.other.svc.cluster.local.", true));
  EXPECT_EQ(target("db.shared.svc", by), dns("db.shared.svc.cluster.local.", true));
  EXPECT_EQ(target("a.corp.example", by), dns("a.corp.example.", true));
  EXPECT_NE(refused("db.third.svc", by), "");
}

// ---- the addresses of a name

name_target const hooks{"hooks.example.org.", 443, false};

TEST(ResolvedName, GoesToTheAddressesThatWereChecked) {
  auto read = resolved(hooks, {"1.1.1.1", "2606:4700::1111"}, {});
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (std::vector<hook_endpoint>{{"1.1.1.1", 443}, {"2606:4700::1111", 443}}));
}

TEST(ResolvedName, WithOneAddressThatIsNotPublicIsRefused) {
  for (auto* bad : {"10.96.0.1", "127.0.0.1", "169.254.169.254", "fe80::1", "fe80::1%2", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "x"}) {
    auto read = resolved(hooks, {"1.1.1.1", bad}, {});
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().code, answer_code::Forbidden);
    EXPECT_NE(read.error().message.find(bad), std::string::npos) << read.error().message;
  }
}

TEST(ResolvedName, WithoutAnAddressIsRefused) { EXPECT_FALSE(resolved(hooks, {}, {})); }

TEST(ResolvedName, MayBeOfARangeThatIsAllowed) {
  EXPECT_TRUE(resolved(hooks, {"1.1.1.1", "10.1.0.1"}, policy({"10.1.0.0/16:443"})));
  EXPECT_FALSE(resolved(hooks, {"1.1.1.1", "10.1.0.1"}, policy({"10.1.0.0/16:80"})));
  EXPECT_FALSE(resolved(hooks, {"10.1.0.1", "10.2.0.1"}, policy({"10.1.0.0/16"})));
}

TEST(ResolvedName, ThatIsAllowedMayBeAnyAddress) { EXPECT_TRUE(resolved({"db.other.svc.cluster.local.", 80, true}, {"10.96.0.7"}, {})); }

// ---- Services

json::value service(std::string const& spec = R"("selector":{"app":"db","tier":"1"},"ports":[{"name":"http","port":80,"targetPort":8080},
      {"name":"dns","port":53,"protocol":"UDP"},{"name":"raw","port":81}])") {
  return parsed(R"({"kind":"Service","metadata":{"name":"db","namespace":"team"},"spec":{)" + spec + "}}");
}
json::value slice(std::string const& endpoints, std::string const& labels = "", std::string const& ns = "team") {
  auto own = labels.empty()
                 ? R"("kubernetes.io/service-name":"db","endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io")"
                 : labels;
  return parsed(R"({"metadata":{"name":"db-x","namespace":")" + ns + R"(","labels":{)" + own +
                R"(}},"addressType":"IPv4","ports":[{"name":"http","port":8080,"protocol":"TCP"},{"name":"dns","port":53,"protocol":"UDP"}],
      "endpoints":[)" +
                endpoints + "]}");
}
std::string endpoint(std::string const& address = "10.244.0.5",
                     std::string const& reference = R"("kind":"Pod","name":"db-1","namespace":"team")",
                     std::string const& conditions = R"("ready":true)") {
  return R"({"addresses":[")" + address + R"("],"conditions":{)" + conditions + R"(},"targetRef":{)" + reference + "}}";
}
claimed_endpoint const claim{"db-1", {"10.244.0.5", 8080}};

TEST(Service, GoesToTheTargetPortOfAReadyEndpoint) {
  auto found = endpoints_of(service(), {slice(endpoint())}, 80);
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().pod, "db-1");
  EXPECT_EQ(found->front().endpoint, claim.endpoint);
}

TEST(Service, WithoutASelectorIsRefused) {
  for (auto* spec : {R"("ports":[{"port":80}])", R"("selector":{},"ports":[{"port":80}])", R"("selector":null,"ports":[{"port":80}])"}) {
    auto found = endpoints_of(service(spec), {slice(endpoint())}, 80);
    ASSERT_FALSE(found) << spec;
    EXPECT_NE(found.error().message.find("has no selector"), std::string::npos) << found.error().message;
  }
}

TEST(Service, ThatIsAnExternalNameIsRefusedAlsoWithASelector) {
  auto found = endpoints_of(
      service(R"("type":"ExternalName","externalName":"metadata","selector":{"app":"db"},"ports":[{"name":"http","port":80}])"),
      {slice(endpoint())}, 80);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("ExternalName"), std::string::npos) << found.error().message;
}

TEST(Service, IsReachedByItsTcpPortsAlone) {
  for (int port : {8080, 53, 443}) {
    auto found = endpoints_of(service(), {slice(endpoint())}, port);
    ASSERT_FALSE(found) << port;
    EXPECT_NE(found.error().message.find("the TCP ports 80, 81"), std::string::npos) << found.error().message;
  }
  EXPECT_FALSE(endpoints_of(service(), {slice(endpoint())}, 81)) << "no slice has that port";
}

TEST(Service, OfAnotherControllersSliceIsNotReached) {
  for (auto* labels :
       {R"("kubernetes.io/service-name":"db")",
        R"("kubernetes.io/service-name":"other","endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io")",
        R"("kubernetes.io/service-name":"db","endpointslice.kubernetes.io/managed-by":"endpointslicemirroring-controller.k8s.io")"})
    EXPECT_FALSE(endpoints_of(service(), {slice(endpoint(), labels)}, 80)) << labels;
  EXPECT_FALSE(endpoints_of(service(), {slice(endpoint("10.244.0.5", R"("kind":"Pod","name":"db-1")"), "", "other")}, 80))
      << "of another namespace";
}

TEST(Service, WithAForeignEndpointIsNotReachedByIt) {
  for (auto* reference : {"", R"("kind":"Node","name":"node-1")", R"("kind":"Pod","name":"db-1","namespace":"other")", R"("kind":"Pod")",
                          R"("kind":"Pod","name":"../services/x","namespace":"team")"})
    EXPECT_FALSE(endpoints_of(service(), {slice(endpoint("10.244.0.5", reference))}, 80)) << reference;
  EXPECT_FALSE(endpoints_of(service(), {slice(endpoint("example.org"))}, 80)) << "a name is not an address";
}

TEST(Service, WithoutAReadyEndpointIsNotReached) {
  auto found =
      endpoints_of(service(), {slice(endpoint("10.244.0.5", R"("kind":"Pod","name":"db-1")", R"("ready":false,"serving":true)"))}, 80);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, answer_code::Unavailable);
  EXPECT_FALSE(endpoints_of(service(), {}, 80));
}

// ---- Pods

json::value pod(std::string const& patch = "{}") {
  auto out = parsed(R"({"kind":"Pod","metadata":{"name":"db-1","namespace":"team","labels":{"app":"db","tier":"1","x":"y"}},"spec":{},
      "status":{"podIP":"10.244.0.5","podIPs":[{"ip":"10.244.0.5"},{"ip":"fd00::5"}],"conditions":[{"type":"Ready","status":"True"}]}})");
  json::merge(out, parsed(patch));
  return out;
}
std::string unproven(std::string const& patch) {
  auto done = prove(claim, pod(patch), service());
  return done ? "" : done.error().message;
}

TEST(Pod, ProvesItsEndpoint) {
  EXPECT_TRUE(prove(claim, pod(), service()));
  EXPECT_TRUE(prove({"db-1", {"fd00::5", 8080}}, pod(), service())) << "in the other family";
}

TEST(Pod, WithoutTheSelectorsLabelsProvesNothing) {
  for (auto* labels : {R"({"app":"web"})", R"({"tier":null})", R"({"tier":""})"})
    EXPECT_NE(unproven(R"({"metadata":{"labels":)" + std::string(labels) + "}}").find("labels"), std::string::npos) << labels;
  EXPECT_NE(unproven(R"({"metadata":{"labels":null}})"), "");
  EXPECT_FALSE(prove(claim, pod(), service(R"("selector":{})")));
}

TEST(Pod, OfAnotherNamespaceProvesNothing) { EXPECT_NE(unproven(R"({"metadata":{"namespace":"other"}})"), ""); }

TEST(Pod, OnTheNetworkOfItsNodeProvesNothing) {
  EXPECT_NE(unproven(R"({"spec":{"hostNetwork":true}})").find("network of its node"), std::string::npos);
}

TEST(Pod, WithoutTheAddressProvesNothing) {
  for (auto* status : {R"({"podIPs":[{"ip":"10.244.0.6"}]})", R"({"podIPs":null})", R"({"podIPs":[{}]})"})
    EXPECT_NE(unproven(R"({"status":)" + std::string(status) + "}").find("does not have that address"), std::string::npos) << status;
}

TEST(Pod, ThatIsNotReadyOrGoesProvesNothing) {
  for (auto* patch : {R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})", R"({"status":{"conditions":null}})",
                      R"({"status":{"conditions":[{"type":"Initialized","status":"True"}]}})",
                      R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})"})
    EXPECT_NE(unproven(patch).find("is not ready"), std::string::npos) << patch;
}

}  // namespace
}  // namespace kopiur::gateway
