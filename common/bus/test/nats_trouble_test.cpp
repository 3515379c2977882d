#include <atomic>
#include <set>
#include <thread>

#include "common/bus/connection.hpp"
#include "common/bus/dead_letters.hpp"
#include "common/bus/test/cutting_relay.hpp"
#include "common/bus/test/nats_stage.hpp"
#include "common/bus/view.hpp"
#include "common/testing/run.hpp"

/// A real server that dies, freezes or forgets, and what happens to work in flight.
namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;
using conformance::broken;
using conformance::client_of;
using conformance::cutting_relay;
using conformance::durable;
using conformance::must;
using conformance::nats_stage;
using conformance::plain;
using conformance::run_on;
using conformance::soon;
using testing::nats_server;

stream_config on_disk(std::string name) {
  auto config = plain(std::move(name));
  config.memory = false;
  return config;
}

/// Publishes one message after the other until `stop`; every second one creates its subject, the others rely on their id.
asio::awaitable<void> publish_until(port& bus, int line, std::atomic<bool> const& stop, int& stored_count) {
  for (int i = 0; !stop; ++i) {
    publication one{.subject = "a." + std::to_string(line) + "." + std::to_string(i), .body = "x"};
    if (i % 2)
      one.expected = 0;
    else
      one.id = one.subject;
    must(co_await bus.publish(std::move(one)));
    ++stored_count;
  }
}

TEST(Trouble, KillingTheServerLosesNothingAndDoublesNothing) {
  nats_server server;
  std::atomic<bool> stop = false;
  std::jthread killer([&] {
    for (int i = 0; i < 6; ++i) {
      std::this_thread::sleep_for(700ms);
      server.kill();
      server.start();
    }
    std::this_thread::sleep_for(700ms);
    stop = true;
  });
  int acked = 0;
  run_on(server, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(on_disk("a")));
    app::nursery lines(co_await asio::this_coro::executor);
    for (int i = 0; i < 64; ++i) lines.spawn(publish_until(*bus, i, stop, acked));
    co_await lines.join();
    view all(*bus, stage.time(), stage.loop().get_executor(), "a", {});
    co_await app::first_of(all.run(), all.until_ready());
    EXPECT_EQ(all.size(), static_cast<std::size_t>(acked)) << "lost";
    EXPECT_EQ(must(co_await bus->info("a")).messages, static_cast<std::uint64_t>(acked)) << "doubled";
  });
  EXPECT_GT(acked, 1000);
  std::cout << acked << " publishes through 6 kills\n";
}

/// Reads and acks until `all` messages were seen, each with that body. An acked message may come again if its copy was in flight.
asio::awaitable<void> work_all(nats_stage& stage, worker& from, std::set<std::uint64_t>& seen, std::size_t all, std::string const& body) {
  while (seen.size() < all) {
    auto got = co_await soon(stage, from, 20s);
    if (!got) throw broken("only " + std::to_string(seen.size()) + " of " + std::to_string(all) + " came");
    EXPECT_TRUE(got->message.body == body) << "another message than was sent, of " << got->message.body.size() << " bytes";
    seen.insert(got->message.sequence);
    from.ack(*got);
    co_await stage.time().sleep_for(1ms);
  }
}

TEST(Trouble, AWorkerGoesOnAfterAKill) {
  nats_server server;
  run_on(server, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    auto config = conformance::queue("a");
    config.memory = false;
    must(co_await bus->ensure(config));
    must(co_await bus->ensure(durable("a")));
    for (int i = 0; i < 1000; ++i) must(co_await bus->publish({.subject = "a.x", .body = "1"}));
    std::jthread killer([&] {
      std::this_thread::sleep_for(300ms);
      server.kill();
      server.start();
    });
    auto work = bus->work("a", "workers", 50);
    std::set<std::uint64_t> seen;
    co_await work_all(stage, *work, seen, 1000, "1");
    for (int look = 0; look < 100 && must(co_await bus->info("a")).messages; ++look)
      if (auto again = co_await soon(stage, *work, 100ms)) work->ack(*again);  // an ack was lost with the server
    EXPECT_EQ(must(co_await bus->info("a")).messages, 0u);
  });
}

/// A release whose consumer has other filters, on the store of the one before it. nats-server answers the first update after its start with
/// the former settings, though the update is in force.
TEST(Trouble, AConsumersFiltersAreChangedAfterARestart) {
  nats_server server;
  auto config = durable("a");
  config.filters = {"a.x", "a.y"};
  run_on(server, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(on_disk("a")));
    must(co_await bus->ensure(config));
  });
  server.kill();
  server.start();
  config.filters.push_back("a.z");
  run_on(server, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(config));
    must(co_await bus->publish({.subject = "a.z", .body = "1"}));
    auto work = bus->work("a", config.name, 1);
    EXPECT_TRUE(co_await soon(stage, *work));
  });
}

TEST(Trouble, AFeedStartsOverAfterAKillAndAViewKeepsWhatItHas) {
  nats_server server;
  run_on(server, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(on_disk("a")));
    must(co_await bus->publish({.subject = "a.x", .body = "1"}));
    view all(*bus, stage.time(), stage.loop().get_executor(), "a", {"a.>"});
    auto from = bus->follow("a", {"a.>"});
    app::nursery runs(stage.loop().get_executor());
    runs.spawn(all.run());
    co_await all.until_ready();
    EXPECT_TRUE(co_await soon(stage, *from) && co_await soon(stage, *from));
    server.kill();
    server.start();
    auto wrote = must(co_await bus->publish({.subject = "a.y", .body = "2"}));
    auto first = co_await soon(stage, *from);
    EXPECT_TRUE(first && std::holds_alternative<restarted>(*first));
    EXPECT_TRUE(all.find("a.x"));
    co_await all.until(wrote.sequence);
    EXPECT_EQ(all.size(), 2u);
    runs.cancel();
    co_await runs.join();
  });
}

TEST(Trouble, AFrozenServerIsSeveredAndFoundAgain) {
  nats_server server;
  auto options = client_of(server);
  options.beat = 200ms;
  options.silence = 1s;
  testing::run([&](asio::io_context& loop) {
    return [](asio::io_context& context, nats_options settings, nats_server& frozen) -> asio::awaitable<void> {
      app::system_clock time(context.get_executor());
      auto link = std::make_shared<connection>(context, settings, connection_events{[](message) {}, [] {}, [] {}, [] {}, [] {}});
      must(co_await link->open());
      frozen.freeze();
      for (int i = 0; i < 100 && link->connected(); ++i) co_await time.sleep_for(50ms);
      EXPECT_FALSE(link->connected());
      frozen.thaw();
      EXPECT_TRUE(co_await link->until_connected(connection::steady::now() + 20s));
      auto const info = std::string("$JS.API.INFO");
      EXPECT_TRUE(co_await link->request(info, {}));
      co_await link->close();
    }(loop, options, server);
  });
}

struct cut {
  std::string mark;
  std::size_t beyond;
};

/// Each cut hits a message to a worker, while a listener receives another one. Only what was sent may arrive, and every stored message
/// arrives in the end.
asio::awaitable<void> through_cuts(nats_stage& stage, cutting_relay& relay, std::vector<cut> const& cuts) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(conformance::queue("a")));
  must(co_await bus->ensure(durable("a")));
  auto work = bus->work("a", "workers", 10);
  auto heard = bus->listen("b");
  std::set<std::uint64_t> seen;
  std::string const body = "BEGIN" + std::string(200'000, 'x') + "END";
  for (auto const& [mark, beyond] : cuts) {
    relay.cut_after(mark, beyond);
    must(co_await bus->publish({.subject = "a.x", .body = body}));
    co_await work_all(stage, *work, seen, seen.size() + 1, body);
    EXPECT_TRUE(relay.has_cut()) << mark;
    bus->tell("b", "still here");
    auto word = co_await soon(stage, *heard);
    EXPECT_TRUE(word && word->body == "still here");
  }
  bool settled =
      co_await conformance::eventually(stage, [&]() -> asio::awaitable<bool> { co_return must(co_await bus->info("a")).messages == 0; });
  EXPECT_TRUE(settled);
}

TEST(Trouble, AConnectionThatIsCutInTheMiddleOfAMessageComesBackClean) {
  nats_server server;
  std::vector<cut> cuts{{"MSG a.x", 0}, {"MSG a.x", 5}, {"MSG a.x 1 $JS.ACK", 3}, {"BEGIN", 0}, {"BEGIN", 1000}, {"BEGIN", 150'000}};
  testing::run([&](asio::io_context& loop) {
    return [](asio::io_context& context, nats_server& upstream, std::vector<cut> const& all) -> asio::awaitable<void> {
      cutting_relay relay(context, static_cast<std::uint16_t>(upstream.port()));
      nats_stage stage(context, {.urls = {relay.url()}, .name = "test"});
      co_await app::first_of(relay.run(), through_cuts(stage, relay, all));
    }(loop, server, cuts);
  });
}

/// An ack is sent without waiting: one that is given while there is no connection is sent on the next one.
TEST(Trouble, WhatIsAckedWhileTheServerIsAwayDoesNotComeAgain) {
  nats_server server;
  run_on(server, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    auto config = conformance::queue("a");
    config.memory = false;
    must(co_await bus->ensure(config));
    must(co_await bus->ensure({.stream = "a", .name = "workers", .backoff = {60s}}));
    must(co_await bus->publish({.subject = "a.x", .body = "1"}));
    auto work = bus->work("a", "workers", 10);
    auto got = co_await soon(stage, *work);
    if (!got) throw broken("no delivery came");
    co_await stage.time().sleep_for(1s);  // the server stores a delivery a moment later; one that it forgets is repeated, acked or not
    server.kill();
    co_await stage.time().sleep_for(500ms);  // until the client notices
    work->ack(*got);
    server.start();
    bool settled =
        co_await conformance::eventually(stage, [&]() -> asio::awaitable<bool> { co_return must(co_await bus->info("a")).messages == 0; });
    EXPECT_TRUE(settled) << "it would come again after a minute";
  });
}

TEST(Trouble, AWorkerWaitsForAConsumerThatComesLater) {
  nats_server server;
  run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(plain("a")));
    must(co_await bus->publish({.subject = "a.x", .body = "1"}));
    auto work = bus->work("a", "workers", 10);
    EXPECT_FALSE(co_await soon(stage, *work, 2s));
    must(co_await bus->ensure(durable("a")));
    EXPECT_TRUE(co_await soon(stage, *work, 15s));
  });
}

TEST(Trouble, PoisonOnAnyStreamIsOneDeadLetter) {
  nats_server server;
  run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(plain("a")));
    must(co_await bus->ensure(durable("a")));
    must(co_await bus->ensure(dead_letter_stream({})));
    must(co_await bus->ensure(dead_letter_consumer({})));
    must(co_await bus->publish({.subject = "a.x", .body = "poison"}));
    app::nursery handler(stage.loop().get_executor());
    handler.spawn(store_dead_letters(*bus, {}));
    auto work = bus->work("a", "workers", 10);
    auto got = co_await soon(stage, *work);
    if (!got) throw broken("no delivery came");
    work->reject(*got, "no JSON");
    co_await stage.time().sleep_for(1s);  // both paths, ours and the server's advisory
    view letters(*bus, stage.time(), stage.loop().get_executor(), "dead-letters", {"dead.>"});
    co_await app::first_of(letters.run(), letters.until_ready());
    EXPECT_EQ(letters.size(), 1u);
    EXPECT_EQ(must(co_await bus->info("dead-letters")).messages, 2u) << "the letter and the server's advisory";
    handler.cancel();
    co_await handler.join();
  });
}

TEST(Trouble, OpeningAndClosingAHundredTimes) {
  nats_server server;
  testing::run([&](asio::io_context& loop) {
    return [](asio::io_context& context, nats_options options) -> asio::awaitable<void> {
      for (int i = 0; i < 100; ++i) {
        auto bus = must(co_await nats_port::open(context, options));
        if (i == 0) must(co_await bus->ensure(plain("a")));
        auto work = bus->work("a", "workers", 10);
        auto from = bus->follow("a", {"a.>"});
        auto heard = bus->listen("b");
        bus->tell("a.x", std::to_string(i));
        if (i % 4) co_await bus->close();  // every fourth is destroyed without a close
      }
      auto bus = must(co_await nats_port::open(context, options));
      EXPECT_GE(must(co_await bus->info("a")).messages, 75u) << "what was told before a close was sent";
      co_await bus->close();
    }(loop, client_of(server));
  });
}

TEST(Trouble, CancelledRequestsLeaveNothingBehind) {
  nats_server server;
  run_on(server, [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    must(co_await bus->ensure(plain("a")));
    server.freeze();
    for (int i = 0; i < 20; ++i) {
      app::nursery all(stage.loop().get_executor());
      all.spawn([](port& port) -> asio::awaitable<void> { must(co_await port.publish({.subject = "a.x", .body = "1"})); }(*bus));
      co_await stage.time().sleep_for(5ms);
      all.cancel();
      co_await all.join();
    }
    server.thaw();
    must(co_await bus->publish({.subject = "a.x", .body = "2"}));
  });
}

}  // namespace
}  // namespace kopiur::bus
