#include "common/bus/nkey.hpp"
#include "common/bus/test/nats_stage.hpp"

/// A server that has another address and another login at each start.
namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;
using conformance::client_of;
using conformance::kind_of;
using conformance::must;
using conformance::nats_stage;
using conformance::plain;
using conformance::refusal_of_opening;
using conformance::run_on;
using testing::nats_server;

std::string only(nkey const& user) { return "authorization { users: [ { nkey: " + user.name + " } ] }"; }

nats_options as(nats_server const& server, nkey const& user) {
  auto options = client_of(server);
  options.nkey = user.name, options.seed = user.seed;
  return options;
}

TEST(Moving, OnlyTheHolderOfTheSeedIsLetIn) {
  auto user = make_user_nkey(), other = make_user_nkey();
  nats_server server({.config = only(user)});
  EXPECT_EQ(refusal_of_opening(client_of(server)).kind, failure::refused);
  EXPECT_EQ(refusal_of_opening(as(server, other)).kind, failure::refused);
  EXPECT_EQ(refusal_of_opening(as(server, {user.name, other.seed})).kind, failure::refused);
  run_on(as(server, user),
         [](nats_stage& stage) -> asio::awaitable<void> { must(co_await (co_await stage.connect())->ensure(plain("a"))); });
}

/// nats.c leaves out one signature in 256, which a few tries would not show.
TEST(Moving, AThousandLoginsAreAllLetIn) {
  auto user = make_user_nkey();
  nats_server server({.config = only(user)});
  run_on(as(server, user), [](nats_stage& stage) -> asio::awaitable<void> {
    for (int i = 0; i < 1000; ++i) {
      auto* bus = co_await stage.open();
      co_await bus->close();
    }
  });
}

TEST(Moving, AClientFollowsTheServerToItsNewAddress) {
  auto first = make_user_nkey(), second = make_user_nkey();
  nats_server before({.config = only(first)}), after({.config = only(second)});
  after.stop();
  int times_away = 0;
  auto options = as(before, first);
  options.urls.clear();
  options.locate = [&](nats_options& now) -> std::string {
    if (times_away > 0 && times_away--) return "it is being started";
    auto& server = before.running() ? before : after;
    auto& user = before.running() ? first : second;
    now.urls = {server.url()}, now.nkey = user.name, now.seed = user.seed;
    return {};
  };
  run_on(options, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    must(co_await bus->ensure(plain("a")));
    times_away = 2;
    before.kill();
    after.start();
    EXPECT_EQ(kind_of(co_await bus->info("b")), failure::not_found) << "it waits, and meets the new server";
    EXPECT_EQ(times_away, 0);
  });
}

TEST(Moving, AServerThatIsNotThereYetIsToldByItsReason) {
  nats_options options{.connect_for = 300ms};
  options.locate = [](nats_options&) -> std::string { return "it is being started"; };
  auto refusal = refusal_of_opening(options);
  EXPECT_EQ(refusal.kind, failure::disconnected);
  EXPECT_NE(refusal.text.find("it is being started"), std::string::npos) << refusal.text;
  EXPECT_EQ(refusal.text.find("4222"), std::string::npos) << refusal.text;
}

}  // namespace
}  // namespace kopiur::bus
