#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "common/testing/test/stage.hpp"

namespace kopiur::testing {
namespace {

using namespace std::chrono_literals;

/// Runs each check on a perfect bus, in several orders.
void on_memory_bus(bus::conformance::check run_it) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    world home({.seed = seed});
    bus_net net(home);
    auto ending = run_alone(home, [&](process& self) -> asio::awaitable<void> {
      sim_stage stage(self, net);
      co_await run_it(stage);
    });
    ASSERT_EQ(ending, "returned") << "seed " << seed << "\n" << home.trace();
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << "\n" << home.trace();
  }
}
KOPIUR_BUS_CONFORMANCE(MemoryBus, on_memory_bus);

/// A server whose clock the test sets.
struct shelf {
  server_time now{instant(1000h), instant(5000h)};
  memory_bus server{[this] { return now; }};
};

TEST(MemoryServer, CountsLengthsOnTheSteadyClock) {
  shelf shelf;
  ASSERT_TRUE(shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}, .max_age = 1h, .duplicates = 1min}));
  ASSERT_TRUE(shelf.server.publish({.subject = "a.x", .id = "1"}));
  shelf.now.wall += 10h;
  EXPECT_TRUE(shelf.server.publish({.subject = "a.x", .id = "1"})->duplicate);
  EXPECT_EQ(shelf.server.info("a")->messages, 1u);
  EXPECT_EQ((*shelf.server.last("a", "a.x"))->time, instant(5000h));
  shelf.now.steady += 1h;
  EXPECT_EQ(shelf.server.info("a")->messages, 0u);
  EXPECT_FALSE(shelf.server.publish({.subject = "a.x", .id = "1"})->duplicate);
}

TEST(MemoryServer, PurgesWhatItIsTold) {
  shelf shelf;
  ASSERT_TRUE(shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  for (auto subject : {"a.x.1", "a.x.2", "a.y", "a.x.1"}) ASSERT_TRUE(shelf.server.publish({.subject = subject}));
  EXPECT_EQ(shelf.server.purge("a", "a.x.1"), 2u);
  EXPECT_EQ(shelf.server.purge("a", "a.x.*"), 1u);
  EXPECT_EQ(shelf.server.purge("a", "a.none"), 0u);
  EXPECT_EQ(shelf.server.info("a")->messages, 1u);
  EXPECT_EQ(shelf.server.info("a")->last_sequence, 4u);
}

TEST(MemoryServer, WhatWasLostIsGoneForGood) {
  shelf shelf;
  ASSERT_TRUE(shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  ASSERT_TRUE(shelf.server.ensure(bus::consumer_config{.stream = "a", .name = "d"}));
  ASSERT_TRUE(shelf.server.publish({.subject = "a.x", .body = "old"}));
  auto old = shelf.server.deliver("a", "d");
  ASSERT_TRUE(old);
  auto before = shelf.server.info("a")->created;
  shelf.server.lose_all();
  EXPECT_NE(shelf.server.info("a")->created, before);
  EXPECT_EQ(shelf.server.info("a")->last_sequence, 0u);
  ASSERT_TRUE(shelf.server.publish({.subject = "a.x", .body = "new"}));
  ASSERT_EQ(shelf.server.deliver("a", "d")->message.body, "new");
  shelf.server.settle("a", "d", *old, {});
  shelf.now.steady += 1min;
  shelf.server.lapse("a", "d");
  auto again = shelf.server.deliver("a", "d");
  ASSERT_TRUE(again) << "an ack from before the loss settles nothing";
  EXPECT_EQ(again->attempt, 2);
}

TEST(MemoryServer, MaxAckPendingBoundsWhatIsOut) {
  shelf shelf;
  ASSERT_TRUE(shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  ASSERT_TRUE(shelf.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .max_ack_pending = 2}));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(shelf.server.publish({.subject = "a.x"}));
  auto first = shelf.server.deliver("a", "d");
  ASSERT_TRUE(first && shelf.server.deliver("a", "d"));
  EXPECT_FALSE(shelf.server.deliver("a", "d"));
  shelf.server.settle("a", "d", *first, {});
  EXPECT_TRUE(shelf.server.deliver("a", "d"));
}

TEST(MemoryServer, BackoffGrowsByAttempt) {
  shelf shelf;
  ASSERT_TRUE(shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  ASSERT_TRUE(shelf.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .backoff = {1s, 10s}}));
  ASSERT_TRUE(shelf.server.publish({.subject = "a.x"}));
  for (auto wait : {1s, 10s, 10s}) {
    ASSERT_TRUE(shelf.server.deliver("a", "d"));
    EXPECT_EQ(shelf.server.due("a", "d"), shelf.now.steady + wait);
    shelf.now.steady += wait;
    shelf.server.lapse("a", "d");
  }
}

TEST(MemoryServer, RefusesWhatAServerRefuses) {
  shelf shelf;
  using enum bus::stream_config::discard_policy;
  EXPECT_FALSE(
      shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}, .max_per_subject = 1, .discard_new_per_subject = true}));
  EXPECT_FALSE(shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}, .max_age = 1min, .duplicates = 2min}));
  EXPECT_FALSE(shelf.server.ensure(bus::stream_config{.name = "a"}));
  ASSERT_TRUE(shelf.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  EXPECT_FALSE(shelf.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .filters = {"a.x", "a.*"}}));
  EXPECT_FALSE(shelf.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .max_deliver = 1, .backoff = {1s, 2s}}));
}

TEST(Subjects, OverlapWhereSomeSubjectFallsUnderBoth) {
  for (auto [a, b] : {std::pair("a.>", "a.x"), {"a.*", "a.x"}, {"a.*.c", "a.b.*"}, {">", "x"}, {"a", "a"}})
    EXPECT_TRUE(overlap(a, b) && overlap(b, a)) << a << b;
  for (auto [a, b] : {std::pair("a.>", "a"), {"a.*", "a"}, {"a.*", "a.b.c"}, {"a.x", "a.y"}, {"a.*.c", "a.b.d"}})
    EXPECT_FALSE(overlap(a, b) || overlap(b, a)) << a << b;
}

}  // namespace
}  // namespace kopiur::testing
