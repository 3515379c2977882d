#include "common/bus/fullness.hpp"
#include "common/bus/test/nats_stage.hpp"

/// What a server says of its streams and durables.
namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;
using conformance::client_of;
using conformance::kind_of;
using conformance::must;
using conformance::nats_stage;
using conformance::plain;
using conformance::run_on;
using testing::nats_server;

stream_config bounded(std::int64_t bytes) {
  auto config = plain("a");
  config.discard = stream_config::discard_policy::fresh;
  config.max_bytes = bytes, config.memory = false;
  return config;
}

TEST(Administration, AStreamHasASizeAndABudget) {
  nats_server server;
  run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    must(co_await bus->ensure(bounded(10'000)));
    for (auto body : {"1", "2"}) must(co_await bus->publish({.subject = "a." + std::string(body), .body = std::string(2500, 'x')}));
    auto size = must(co_await bus->size("a"));
    EXPECT_EQ(size.budget, 10'000);
    EXPECT_EQ(percent_used(size), 50) << size.bytes;
    EXPECT_EQ(kind_of(co_await bus->size("b")), failure::not_found);
  });
}

TEST(Administration, AStreamOfMostOfTheStoreIsMadeOnceMore) {
  nats_server server;  // of 8 GB
  run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    for (int i = 0; i < 2; ++i) must(co_await bus->ensure(bounded(5'000'000'000)));
    auto other = bounded(5'000'000'000);
    other.name = "b", other.subjects = {"b.>"};
    auto refused = co_await bus->ensure(other);
    EXPECT_NE((refused ? std::string() : refused.error().text).find("insufficient storage"), std::string::npos);
  });
}

TEST(Administration, MoreBytesLetAFullStreamGoOn) {
  nats_server server;
  run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    must(co_await bus->ensure(bounded(4000)));
    must(co_await bus->publish({.subject = "a.1", .body = std::string(3500, 'x')}));
    result<receipt> held;
    auto hold = [&]() -> asio::awaitable<void> { held = co_await bus->publish({.subject = "a.2", .body = std::string(3500, 'x')}); };
    app::nursery both(stage.loop().get_executor());
    both.spawn(hold());
    must(co_await bus->ensure(bounded(40'000)));
    co_await both.join();
    EXPECT_TRUE(held) << "it was tried until there was space";
    EXPECT_EQ(must(co_await bus->info("a")).messages, 2U);
  });
}

TEST(Administration, ADurableSaysWhetherAnybodyUsesIt) {
  nats_server server;
  run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    must(co_await bus->ensure(plain("a")));
    must(co_await bus->ensure(consumer_config{.stream = "a", .name = "d"}));
    must(co_await bus->publish({.subject = "a.1", .body = "1"}));
    auto unused = must(co_await bus->consumer("a", "d"));
    EXPECT_EQ(unused.pending, 1U);
    EXPECT_FALSE(unused.awaited || unused.last_active);
    {
      auto worker = bus->work("a", "d", 4);
      worker->ack(co_await worker->next());
      auto used = must(co_await bus->consumer("a", "d"));
      EXPECT_TRUE(used.awaited && used.last_active);
    }
    must(co_await bus->remove_consumer("a", "d"));
    EXPECT_EQ(kind_of(co_await bus->consumer("a", "d")), failure::not_found);
    must(co_await bus->remove_consumer("a", "d"));
  });
}

}  // namespace
}  // namespace kopiur::bus
