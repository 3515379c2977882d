#include <cstdlib>
#include <thread>

#include "common/bus/test/nats_stage.hpp"
#include "common/testing/run.hpp"

/// Which servers and logins are accepted, and how long a client waits.
namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;
using conformance::broken;
using conformance::client_of;
using conformance::kind_of;
using conformance::must;
using conformance::nats_stage;
using conformance::plain;
using conformance::refusal_of_opening;
using conformance::run_on;
using testing::nats_server;

TEST(Login, AnOldServerIsRefusedWithItsVersionTheFloorAndAHint) {
  auto* old = std::getenv("KOPIUR_OLD_NATS_SERVER");
  ASSERT_TRUE(old) << "KOPIUR_OLD_NATS_SERVER names no nats-server 2.9: `./dev test` unpacks Debian's package and sets it.";
  nats_server server({.program = old});
  auto refusal = refusal_of_opening(client_of(server));
  EXPECT_EQ(refusal.kind, failure::refused);
  for (auto part : {"2.9.10", "2.11", "install"}) EXPECT_NE(refusal.text.find(part), std::string::npos) << refusal.text;
}

TEST(Login, AServerWithoutJetStreamIsRefused) {
  nats_server server({.config = "jetstream: disabled"});
  auto options = client_of(server);
  options.answer_within = 500ms;
  auto refusal = refusal_of_opening(options);
  EXPECT_EQ(refusal.kind, failure::refused);
  EXPECT_NE(refusal.text.find("JetStream"), std::string::npos) << refusal.text;
}

TEST(Login, AStrangerIsRefusedAtOnce) {
  nats_server server({.user = "us", .password = "right"});
  auto options = client_of(server);
  EXPECT_EQ(refusal_of_opening(options).kind, failure::refused);
  options.user = "us";
  options.password = "wrong";
  EXPECT_EQ(refusal_of_opening(options).kind, failure::refused);
  options.password = "right";
  run_on(options, [](nats_stage& stage) -> asio::awaitable<void> { must(co_await (co_await stage.connect())->ensure(plain("a"))); });
}

TEST(Login, NoServerIsToldAfterTheLimit) {
  nats_server server;
  server.stop();
  auto options = client_of(server);
  options.connect_for = 300ms;
  auto refusal = refusal_of_opening(options);
  EXPECT_EQ(refusal.kind, failure::disconnected);
  EXPECT_NE(refusal.text.find(server.url()), std::string::npos) << refusal.text;
}

TEST(Login, WaitsForAServerThatIsNotUpYet) {
  nats_server server;
  server.stop();
  std::jthread later([&] {
    std::this_thread::sleep_for(1s);
    server.start();
  });
  run_on(server, [](nats_stage& stage) -> asio::awaitable<void> { must(co_await (co_await stage.connect())->ensure(plain("a"))); });
}

TEST(Login, ALoginThatIsTakenBackClosesForGood) {
  nats_server server({.user = "us", .password = "old"});
  auto options = client_of(server);
  options.user = "us";
  options.password = "old";
  options.patience = 20s;
  run_on(options, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    must(co_await bus->ensure(plain("a")));
    server.stop();
    server.set_login("us", "new");
    server.start();
    auto reason = co_await bus->until_closed();
    EXPECT_FALSE(reason.empty());
    EXPECT_EQ(kind_of(co_await bus->publish({.subject = "a.x"})), failure::closed);
  });
}

constexpr auto limited = R"(authorization { users: [
  {user: "admin", password: "p"},
  {user: "us", password: "p", permissions: {
    publish: ["a.>", "$JS.API.INFO", "$JS.API.CONSUMER.MSG.NEXT.a.*", "$JS.API.CONSUMER.CREATE.a.*.>", "$JS.API.STREAM.MSG.GET.a",
              "$JS.ACK.a.workers.>", "_INBOX.us.>", "dead.>"],
    subscribe: ["_INBOX.us.>"]}}]})";

nats_options as(nats_server const& server, std::string user) {
  auto options = client_of(server);
  options.inbox_prefix = "_INBOX." + user;
  options.user = std::move(user);
  options.password = "p";
  return options;
}

TEST(Login, ARefusedPublishIsToldAtOnce) {
  nats_server server({.config = limited});
  run_on(as(server, "admin"), [](nats_stage& stage) -> asio::awaitable<void> {
    auto secret = plain("secret");
    must(co_await (co_await stage.connect())->ensure(secret));
  });
  run_on(as(server, "us"), [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    auto start = std::chrono::steady_clock::now();
    auto refused = co_await bus->publish({.subject = "secret.x", .body = "1"});
    EXPECT_EQ(kind_of(refused), failure::refused);
    EXPECT_NE(refused.error().text.find("secret.x"), std::string::npos) << refused.error().text;
    EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
  });
}

/// The rights that the README of this directory lists for a service are enough for what a service does.
TEST(Login, TheListedRightsSuffice) {
  nats_server server({.config = limited});
  run_on(as(server, "admin"), [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(plain("a")));
    must(co_await bus->ensure(conformance::durable("a")));
  });
  run_on(as(server, "us"), [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->publish({.subject = "a.x", .body = "1", .expected = 0}));
    EXPECT_TRUE(must(co_await bus->last("a", "a.x")));
    auto work = bus->work("a", "workers", 10);
    auto got = co_await conformance::soon(stage, *work);
    if (!got) throw broken("no delivery came");
    work->ack(*got);
    auto from = bus->follow("a", {"a.x"});
    EXPECT_TRUE(co_await conformance::soon(stage, *from));
  });
}

}  // namespace
}  // namespace kopiur::bus
