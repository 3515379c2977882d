#include "services/gateway/kubernetes/objects/other_operator.hpp"

#include "proto/hypershift/kinds.hpp"
#include "services/gateway/test/cluster/api.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view shared_kind = proto::hcp_etcd_backup::info.kind;

/// What is read of the kind's definition, and of an operator's Deployment that exists only as far as a test writes it.
class stage : public stage_base {
 public:
  explicit stage(asio::io_context& loop)
      : stage_base(loop, "other-operator"),
        other(api, time, {.kind = *resource_of(shared_kind), .deployment = ns + "/operator", .changed = [] {}}) {}

  awaitable<void> label_definition(char const* made_for) {
    auto path = path_of(kopiur::kubernetes::definitions, "", kopiur::kubernetes::definition_name(*resource_of(shared_kind)));
    json::value labels = json::object{{"app.kubernetes.io/part-of", made_for}};
    must(co_await api.ask({.method = "PATCH",
                           .path = std::move(path),
                           .body = json::object{{"metadata", json::object{{"labels", std::move(labels)}}}},
                           .content_type = "application/merge-patch+json"}));
  }
  awaitable<void> make_deployment() {
    auto manifest =
        json::parse(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"operator"},"spec":{"selector":{"matchLabels":)"
                    R"({"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
    must(co_await api.ask({.method = "POST", .path = path_of(*resource_of("Deployment"), ns), .body = std::move(*manifest)}));
  }
  awaitable<void> report_available(int replicas) {
    must(co_await api.ask(
        {.method = "PATCH",
         .path = path_of(*resource_of("Deployment"), ns, "operator", "status"),
         .body =
             json::object{{"status", json::object{{"replicas", replicas}, {"readyReplicas", replicas}, {"availableReplicas", replicas}}}},
         .content_type = "application/merge-patch+json"}));
  }
  /// Whether another operator serves it, by a look that begins now.
  awaitable<bool> served() {
    co_await other.look_once();
    co_return other.serves().value();
  }

  other_operator other;
};

TEST(OtherOperator, ServesAKindThatIsNotOursWhileItRuns) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop);
    co_await it.make_namespace();
    EXPECT_FALSE(it.other.serves()) << "it is not known yet";
    EXPECT_FALSE(co_await it.served());
    co_await it.label_definition("hypershift");
    EXPECT_FALSE(co_await it.served()) << "its operator is not installed";
    co_await it.make_deployment();
    co_await it.report_available(1);
    EXPECT_TRUE(co_await it.served());
    co_await it.report_available(0);
    EXPECT_FALSE(co_await it.served());
    co_await it.report_available(1);
    co_await it.label_definition("kopiur");
    EXPECT_FALSE(co_await it.served());
  });
}

TEST(OtherOperator, OursIsADefinitionWithOurLabelAndNoFeatureGate) {
  auto is_ours = [](char const* metadata) { return is_our_definition(json::object{{"metadata", json::parse(metadata).value()}}); };
  EXPECT_TRUE(is_ours(R"({"labels":{"app.kubernetes.io/part-of":"kopiur"}})"));
  EXPECT_FALSE(is_ours(R"({})"));
  EXPECT_FALSE(is_ours(R"({"labels":{"app.kubernetes.io/part-of":"other"}})"));
  EXPECT_FALSE(
      is_ours(R"({"labels":{"app.kubernetes.io/part-of":"kopiur"},"annotations":{"feature-gate.release.openshift.io/X":"true"}})"));
  EXPECT_EQ(path_of_deployment("a/b"), "/apis/apps/v1/namespaces/a/deployments/b");
  for (auto* wrong : {"", "a", "/b", "a/"}) EXPECT_EQ(path_of_deployment(wrong), "") << wrong;
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
