#include "services/gateway/admission/access_review.hpp"

#include <set>

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"
#include "services/gateway/test/folder.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using answer = std::expected<json::value, std::string>;

/// A clock on which a second takes a millisecond.
class hasty_clock final : public clock {
 public:
  explicit hasty_clock(asio::any_io_executor loop) : real_(std::move(loop)) {}
  instant now() const override { return real_.now(); }
  awaitable<void> sleep_until(instant when) override { return real_.sleep_until(when); }
  awaitable<void> sleep_for(duration length) override { return real_.sleep_for(length / 1000); }
  duration steady() const override { return real_.steady() * 1000; }

 private:
  app::system_clock real_;
};

/// An API server that allows the listed rights, as `verb resource[/part] name ns`, and knows this client as the gateway.
struct api {
  explicit api(asio::io_context& loop) : time(loop.get_executor()) {}

  awaitable<answer> create(json::value review) {
    questions.push_back(text_of(review));
    if (hangs) co_await time.sleep_for(std::chrono::hours(1));
    if (!broken.empty()) co_return std::unexpected(broken);
    if (review.text("kind") == "SelfSubjectReview")
      co_return parsed_json(R"({"status":{"userInfo":{"username":"system:serviceaccount:kopiur-system:kopiur-gateway"}}})");
    users.insert(std::string(review.text("spec.user")));
    co_return json::value(json::object{{"status", json::object{{"allowed", allowed.contains(text_of(review))}}}});
  }
  static std::string text_of(json::value const& review) {
    if (review.text("kind") == "SelfSubjectReview") return "self";
    auto attribute = [&](char const* name) { return std::string(review.text(std::string("spec.resourceAttributes.") + name)); };
    auto part = attribute("subresource");
    return attribute("verb") + " " + attribute("resource") + (part.empty() ? "" : "/" + part) + " " + attribute("name") + " " +
           attribute("namespace");
  }
  awaitable<std::vector<finding>> judge(json::value review) { co_return co_await reviewer.lacking(std::move(review)); }

  hasty_clock time;
  access_reviewer reviewer{time, [this](json::value review) { return create(std::move(review)); }};
  std::set<std::string> allowed, users;
  std::vector<std::string> questions;
  std::string broken;
  bool hangs = false;
};

json::value review_of(json::value object, std::string user = "jane") {
  return json::object{{"request", json::object{{"namespace", "prod"},
                                               {"userInfo", json::object{{"username", user}, {"groups", json::array{"team"}}}},
                                               {"object", std::move(object)}}}};
}
json::value const nas = manifest(
    "Repository", "nas", R"({"backend":{"s3":{"auth":{"secretRef":{"name":"keys"}}}},"encryption":{"passwordSecretRef":{"name":"p"}}})");
json::value const by_identity = manifest(
    "ClusterRepository", "nas",
    R"({"backend":{"s3":{"auth":{"workloadIdentity":{"serviceAccountName":"cloud"}}}},"encryption":{"passwordSecretRef":{"name":"p","namespace":"vault"}}})");

std::string refusal(std::string field, std::string secret) {
  return field + ": kopiur would use Secret \"" + secret + "\" for jane, who may not do it: this needs the right to create pods or " +
         "get secrets \"" + secret + "\" in namespace prod.";
}
std::string last_of(std::vector<finding> const& wrong) { return wrong.empty() ? "" : wrong.back().message; }

template <class Story>
void with_api(Story story) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    api server(loop);
    co_await story(server);
  });
}

TEST(AccessReview, LetsNobodyNameASecretWhoMayNotUseIt) {
  with_api([](api& server) -> awaitable<void> {
    EXPECT_EQ(listing(co_await server.judge(review_of(nas))),
              refusal("spec.backend.s3.auth.secretRef.name", "keys") + "; " + refusal("spec.encryption.passwordSecretRef.name", "p"));
    EXPECT_EQ(server.users, std::set<std::string>{"jane"});
  });
}

TEST(AccessReview, IsContentWithTheRightToCreatePodsAndAsksForItOnce) {
  with_api([](api& server) -> awaitable<void> {
    server.allowed = {"create pods  prod"};
    EXPECT_TRUE((co_await server.judge(review_of(nas))).empty());
    EXPECT_EQ(server.questions, (std::vector<std::string>{"self", "create pods  prod"}));
  });
}

TEST(AccessReview, IsContentWithTheRightToGetThatSecret) {
  with_api([](api& server) -> awaitable<void> {
    server.allowed = {"get secrets keys prod", "get secrets p elsewhere"};
    EXPECT_EQ(listing(co_await server.judge(review_of(nas))), refusal("spec.encryption.passwordSecretRef.name", "p"));
    server.allowed = {"get secrets keys prod", "get secrets p prod"};
    EXPECT_TRUE((co_await server.judge(review_of(nas))).empty());
  });
}

/// Which Secret its Buckety gets is not known yet.
TEST(AccessReview, AsksForAllSecretsOfTheNamespaceOfABuckety) {
  with_api([](api& server) -> awaitable<void> {
    auto with_bucket = manifest(
        "ClusterRepository", "nas",
        R"({"backend":{"s3":{"bucketyRef":{"name":"photos","namespace":"vault"}}},"encryption":{"passwordSecretRef":{"name":"p","namespace":"vault"}}})");
    server.allowed = {"get secrets p vault", "get secrets photos vault"};
    EXPECT_EQ(listing(co_await server.judge(review_of(with_bucket))),
              "spec.backend.s3.bucketyRef.name: kopiur would use Buckety \"photos\" for jane, who may not do it: this needs the right to "
              "create pods or get secrets in namespace vault.");
    server.allowed.insert("get secrets  vault");
    EXPECT_TRUE((co_await server.judge(review_of(with_bucket))).empty());
  });
}

TEST(AccessReview, AsksForAServiceAccountOfAClusterRepositoryInAllNamespaces) {
  with_api([](api& server) -> awaitable<void> {
    auto asked = review_of(by_identity);
    asked.find("request")->erase("namespace");
    server.allowed = {"create pods  vault"};
    auto wrong = co_await server.judge(asked);
    EXPECT_EQ(
        listing(wrong),
        "spec.backend.s3.auth.workloadIdentity.serviceAccountName: kopiur would use ServiceAccount \"cloud\" for jane, who may not do "
        "it: this needs the right to create pods or create serviceaccounts/token \"cloud\" in all namespaces.");
    server.allowed.insert("create serviceaccounts/token cloud ");
    EXPECT_TRUE((co_await server.judge(asked)).empty());
  });
}

TEST(AccessReview, NeverJudgesItself) {
  with_api([](api& server) -> awaitable<void> {
    EXPECT_TRUE((co_await server.judge(review_of(nas, "system:serviceaccount:kopiur-system:kopiur-gateway"))).empty());
    EXPECT_EQ(server.questions, std::vector<std::string>{"self"});
    EXPECT_FALSE((co_await server.judge(review_of(nas, "system:serviceaccount:flux-system:flux"))).empty()) << "by its own rights";
    EXPECT_EQ(std::ranges::count(server.questions, "self"), 1) << "it stays who it is";
  });
}

TEST(AccessReview, AsksNothingOfAnObjectThatBorrowsNothing) {
  with_api([](api& server) -> awaitable<void> {
    auto labelled = review_of(nas);
    labelled.find("request")->set("oldObject", nas);
    EXPECT_TRUE((co_await server.judge(labelled)).empty());
    EXPECT_TRUE(server.questions.empty());
  });
}

TEST(AccessReview, SaysWhyItCouldNotAsk) {
  with_api([](api& server) -> awaitable<void> {
    server.broken = "The API server is away.";
    EXPECT_EQ(last_of(co_await server.judge(review_of(nas))),
              "whether jane may create pods or get secrets \"p\" could not be asked: The API server is away. Try again.");
    server.broken.clear(), server.hangs = true;
    auto wrong = co_await server.judge(review_of(nas));
    EXPECT_EQ(wrong.size(), 2U) << "one time limit for all questions";
    EXPECT_EQ(last_of(wrong),
              "whether jane may create pods or get secrets \"p\" could not be asked: the API server did not answer in time. Try again.");
  });
}

TEST(AccessReview, AsksOnlySoMuchOfOneObject) {
  with_api([](api& server) -> awaitable<void> {
    std::string headers;
    for (int i = 0; i < 100; ++i)
      headers +=
          std::string(i ? "," : "") + R"({"name":"a","valueFrom":{"secretKeyRef":{"name":"s)" + std::to_string(i) + R"(","key":"k"}}})";
    auto many = manifest("BackupConfig", "photos", R"({"hooks":{"afterSnapshot":[{"httpRequest":{"headers":[)" + headers + "]}}]}}");
    auto wrong = co_await server.judge(review_of(many));
    EXPECT_EQ(wrong.size(), 100U);
    EXPECT_EQ(server.questions.size(), 1 + access_reviewer::most_questions);
    EXPECT_NE(last_of(wrong).find("needs too many rights"), std::string::npos) << last_of(wrong);
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
