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
    auto how = run_alone(home, [&](process& self) -> asio::awaitable<void> {
      sim_stage stage(self, net);
      co_await run_it(stage);
    });
    ASSERT_EQ(how, "returned") << "seed " << seed << "\n" << home.trace();
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
  shelf on;
  ASSERT_TRUE(on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}, .max_age = 1h, .duplicates = 1min}));
  ASSERT_TRUE(on.server.publish({.subject = "a.x", .id = "1"}));
  on.now.wall += 10h;
  EXPECT_TRUE(on.server.publish({.subject = "a.x", .id = "1"})->duplicate);
  EXPECT_EQ(on.server.info("a")->messages, 1u);
  EXPECT_EQ((*on.server.last("a", "a.x"))->at, instant(5000h));
  on.now.steady += 1h;
  EXPECT_EQ(on.server.info("a")->messages, 0u);
  EXPECT_FALSE(on.server.publish({.subject = "a.x", .id = "1"})->duplicate);
}

TEST(MemoryServer, PurgesWhatItIsTold) {
  shelf on;
  ASSERT_TRUE(on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  for (auto subject : {"a.x.1", "a.x.2", "a.y", "a.x.1"}) ASSERT_TRUE(on.server.publish({.subject = subject}));
  EXPECT_EQ(on.server.purge("a", "a.x.1"), 2u);
  EXPECT_EQ(on.server.purge("a", "a.x.*"), 1u);
  EXPECT_EQ(on.server.purge("a", "a.none"), 0u);
  EXPECT_EQ(on.server.info("a")->messages, 1u);
  EXPECT_EQ(on.server.info("a")->last_sequence, 4u);
}

TEST(MemoryServer, WhatWasLostIsGoneForGood) {
  shelf on;
  ASSERT_TRUE(on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  ASSERT_TRUE(on.server.ensure(bus::consumer_config{.stream = "a", .name = "d"}));
  ASSERT_TRUE(on.server.publish({.subject = "a.x", .body = "old"}));
  auto old = on.server.deliver("a", "d");
  ASSERT_TRUE(old);
  auto before = on.server.info("a")->created;
  on.server.lose_all();
  EXPECT_NE(on.server.info("a")->created, before);
  EXPECT_EQ(on.server.info("a")->last_sequence, 0u);
  ASSERT_TRUE(on.server.publish({.subject = "a.x", .body = "new"}));
  ASSERT_EQ(on.server.deliver("a", "d")->message.body, "new");
  on.server.settle("a", "d", *old, {});
  on.now.steady += 1min;
  on.server.lapse("a", "d");
  auto again = on.server.deliver("a", "d");
  ASSERT_TRUE(again) << "an ack from before the loss settles nothing";
  EXPECT_EQ(again->attempt, 2);
}

TEST(MemoryServer, MaxAckPendingBoundsWhatIsOut) {
  shelf on;
  ASSERT_TRUE(on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  ASSERT_TRUE(on.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .max_ack_pending = 2}));
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(on.server.publish({.subject = "a.x"}));
  auto first = on.server.deliver("a", "d");
  ASSERT_TRUE(first && on.server.deliver("a", "d"));
  EXPECT_FALSE(on.server.deliver("a", "d"));
  on.server.settle("a", "d", *first, {});
  EXPECT_TRUE(on.server.deliver("a", "d"));
}

TEST(MemoryServer, BackoffGrowsByAttempt) {
  shelf on;
  ASSERT_TRUE(on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  ASSERT_TRUE(on.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .backoff = {1s, 10s}}));
  ASSERT_TRUE(on.server.publish({.subject = "a.x"}));
  for (auto wait : {1s, 10s, 10s}) {
    ASSERT_TRUE(on.server.deliver("a", "d"));
    EXPECT_EQ(on.server.due("a", "d"), on.now.steady + wait);
    on.now.steady += wait;
    on.server.lapse("a", "d");
  }
}

TEST(MemoryServer, RefusesWhatAServerRefuses) {
  shelf on;
  using enum bus::stream_config::discard_policy;
  EXPECT_FALSE(
      on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}, .max_per_subject = 1, .discard_new_per_subject = true}));
  EXPECT_FALSE(on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}, .max_age = 1min, .duplicates = 2min}));
  EXPECT_FALSE(on.server.ensure(bus::stream_config{.name = "a"}));
  ASSERT_TRUE(on.server.ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  EXPECT_FALSE(on.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .filters = {"a.x", "a.*"}}));
  EXPECT_FALSE(on.server.ensure(bus::consumer_config{.stream = "a", .name = "d", .max_deliver = 1, .backoff = {1s, 2s}}));
}

TEST(Subjects, OverlapWhereSomeSubjectFallsUnderBoth) {
  for (auto [a, b] : {std::pair("a.>", "a.x"), {"a.*", "a.x"}, {"a.*.c", "a.b.*"}, {">", "x"}, {"a", "a"}})
    EXPECT_TRUE(overlap(a, b) && overlap(b, a)) << a << b;
  for (auto [a, b] : {std::pair("a.>", "a"), {"a.*", "a"}, {"a.*", "a.b.c"}, {"a.x", "a.y"}, {"a.*.c", "a.b.d"}})
    EXPECT_FALSE(overlap(a, b) || overlap(b, a)) << a << b;
}

}  // namespace
}  // namespace kopiur::testing
