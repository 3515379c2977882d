#include "common/kubernetes/token_request.hpp"

#include "common/kubernetes/test/cluster/api.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;

TEST(TokenRequest, GivesATokenThatProvesTheAccountToItsAudienceAlone) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage_base it(loop, "tokens");
    co_await it.make_namespace();
    auto robot = json::parse(R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"robot"}})").value();
    must(co_await it.api.ask({.method = "POST", .path = path_of(service_accounts, it.ns), .body = std::move(robot)}));
    object_key account{"ServiceAccount", "tokens", "robot"};
    auto who_is = [&](bound_token const& given) -> awaitable<result<json::value>> {
      auto bearer = as("admin");
      bearer = {.server = bearer.server, .authority = bearer.authority, .token = given.token};
      client other(it.time, loop.get_executor(), bearer);
      auto body = json::parse(R"({"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"})").value();
      co_return co_await other.ask(
          {.method = "POST", .path = "/apis/authentication.k8s.io/v1/selfsubjectreviews", .body = std::move(body)});
    };
    auto ours = must(co_await request_token(it.api, account, {}, 15min));
    EXPECT_EQ(must(co_await who_is(ours)).text("status.userInfo.username"), "system:serviceaccount:tokens:robot");
    EXPECT_GT(ours.expires, it.time.now() + 10min);
    auto vaults = must(co_await request_token(it.api, account, {"vault"}, 15min));
    EXPECT_EQ(code_of(co_await who_is(vaults)), failure::forbidden) << "it is for somebody else";
    EXPECT_EQ(code_of(co_await request_token(it.api, account, {}, 1min)), failure::invalid);
    EXPECT_EQ(code_of(co_await request_token(it.api, {"ServiceAccount", "tokens", "none"}, {}, 15min)), failure::not_found);
    stage_base stranger(loop, "tokens", "nobody");
    EXPECT_EQ(code_of(co_await request_token(stranger.api, account, {}, 15min)), failure::forbidden);
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
