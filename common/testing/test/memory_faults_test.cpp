#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "common/bus/dead_letters.hpp"
#include "common/bus/view.hpp"
#include "common/testing/test/stage.hpp"

/// Faults that the bus causes for a process.
namespace kopiur::testing {
namespace {

using namespace std::chrono_literals;
using asio::awaitable;
using bus::failure;
using bus::conformance::must;

struct bad_day {
  world home;
  bus_net net;
  explicit bad_day(fault_plan faults = {}, std::uint64_t seed = 1) : home({.seed = seed}), net(home, faults) {
    EXPECT_TRUE(net.server().ensure(bus::stream_config{.name = "a", .subjects = {"a.>"}}));
  }
  std::uint64_t struck(std::string_view what) {
    auto found = home.faults().counts().find(what);
    return found == home.faults().counts().end() ? 0 : found->second;
  }
};

TEST(BadDay, ALostAnswerIsAskedForAgainUnderTheSameId) {
  bad_day day({.calls = {.lost_after = 0.5}});
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        int duplicates = 0;
                        for (int i = 0; i < 100; ++i)
                          duplicates += must(co_await bus.publish({.subject = "a.x", .id = std::to_string(i)})).duplicate;
                        EXPECT_GT(duplicates, 20);
                      }),
            "returned");
  EXPECT_EQ(day.net.server().info("a")->messages, 100u);
}

TEST(BadDay, WithoutAnIdARetryMayStoreTwice) {
  bad_day day({.calls = {.lost_after = 0.5}});
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        for (int i = 0; i < 50; ++i) must(co_await bus.publish({.subject = "a.x"}));
                      }),
            "returned");
  EXPECT_GT(day.net.server().info("a")->messages, 60u);
}

TEST(BadDay, AnOrderedFaultStrikesTheNextCallOfItsKindAndNoOther) {
  bad_day day;
  auto order = day.home.faults().order({.who = "alone", .verb = "publish", .subject = ".y", .what = "lost_after"});
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        must(co_await bus.publish({.subject = "a.x"}));
                        EXPECT_TRUE(day.home.faults().awaited(order));
                        for (int i = 0; i < 3; ++i) must(co_await bus.publish({.subject = "a.y"}));
                      }),
            "returned");
  EXPECT_FALSE(day.home.faults().awaited(order));
  EXPECT_EQ(day.net.server().info("a")->messages, 5u) << "the lost answer was asked for again, without an id";
  EXPECT_EQ(day.struck("lost_after"), 1u);
}

/// Otherwise a scenario with a misspelt fault would pass.
TEST(BadDay, AnOrderedFaultThatIsNoneNeverComes) {
  bad_day day;
  auto order = day.home.faults().order({.who = "alone", .verb = "publish", .subject = "", .what = "lost_afterwards"});
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        must(co_await bus.publish({.subject = "a.x"}));
                      }),
            "returned");
  EXPECT_TRUE(day.home.faults().awaited(order));
}

TEST(BadDay, ALeaderChangeCostsTimeOnly) {
  bad_day day;
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        day.net.gap(8s);
                        auto began = day.home.now();
                        EXPECT_TRUE(co_await bus.last("a", "a.x"));
                        EXPECT_GE(day.home.now() - began, 8s);
                        must(co_await bus.publish({.subject = "a.x", .id = "1"}));
                        EXPECT_GE(day.home.now() - began, 8s);
                        EXPECT_LE(day.home.now() - began, 15s);
                      }),
            "returned");
}

TEST(BadDay, APublisherGivesUpAfterThirtySeconds) {
  bad_day day;
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        day.net.gap(10min);
                        auto began = day.home.now();
                        auto sent = co_await bus.publish({.subject = "a.x", .id = "1"});
                        EXPECT_FALSE(sent);
                        EXPECT_EQ(day.home.now() - began, 30s);
                      }),
            "returned");
  EXPECT_EQ(day.net.server().info("a")->messages, 0u);
}

TEST(BadDay, AnAmbiguousPublishWasStored) {
  bad_day day({.ambiguous = 1});
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        auto began = day.home.now();
                        EXPECT_FALSE(co_await bus.publish({.subject = "a.x", .expected = 0}));
                        EXPECT_EQ(day.home.now() - began, 30s);
                      }),
            "returned");
  EXPECT_EQ(day.net.server().info("a")->messages, 1u);
}

TEST(BadDay, ACompareAndSetWinsOverItsOwnLostAnswer) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    bad_day day({.calls = {.lost_after = 0.5, .twice = 0.2}}, seed);
    EXPECT_EQ(run_alone(day.home,
                        [&](process& self) -> awaitable<void> {
                          memory_port bus(self, day.net);
                          std::uint64_t last = 0;
                          for (int i = 0; i < 20; ++i) last = must(co_await bus.publish({.subject = "a.x", .expected = last})).sequence;
                        }),
              "returned")
        << "seed " << seed;
    EXPECT_EQ(day.net.server().info("a")->messages, 20u);
  }
}

TEST(BadDay, AWorkerThatGoesInPeaceGivesBackWhatItHeld) {
  bad_day day;
  ASSERT_TRUE(day.net.server().ensure(bus::consumer_config{.stream = "a", .name = "d", .backoff = {10min}}));
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(day.net.server().publish({.subject = "a.x"}));
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        auto work = bus.work("a", "d", 3);
                        co_await work->next();
                        co_await work->next();
                        sim_clock time(self);
                        co_await time.sleep_for(1s);  // a delivery in flight comes back after the ack wait
                      }),
            "returned");
  auto began = day.home.now();
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        auto work = bus.work("a", "d", 3);
                        for (int i = 0; i < 4; ++i) work->ack(co_await work->next());
                      }),
            "returned");
  EXPECT_LT(day.home.now() - began, 1s);
}

TEST(BadDay, RefusalsAndBlindConflictsComeAsTheyAreTold) {
  bad_day refused({.refused = 1}), full({.full = 1}), blind({.blind_conflict = 1});
  auto kind = [](bad_day& day) {
    std::optional<bus::error> seen;
    EXPECT_EQ(run_alone(day.home,
                        [&](process& self) -> awaitable<void> {
                          memory_port bus(self, day.net);
                          auto sent = co_await bus.publish({.subject = "a.x", .expected = 7});
                          if (!sent) seen = sent.error();
                        }),
              "returned");
    return seen.value();
  };
  EXPECT_EQ(kind(refused).kind, failure::refused);
  EXPECT_EQ(kind(full).kind, failure::limit);
  auto conflict = kind(blind);
  EXPECT_EQ(conflict.kind, failure::wrong_sequence);
  EXPECT_FALSE(conflict.actual);
}

TEST(BadDay, ADeadProcessStoresNothingMore) {
  bad_day day;
  auto who = day.home.start("victim", [&](process& self) -> awaitable<void> {
    memory_port bus(self, day.net);
    day.home.kill(self);
    bus.tell("a.told", "from the tombstone", {});
    co_await bus.publish({.subject = "a.x"});
  });
  EXPECT_TRUE(day.home.run_until(day.home.now() + 1min));
  EXPECT_EQ(day.net.server().info("a")->messages, 0u);
}

TEST(BadDay, WhatACrashedWorkerHeldComesAgain) {
  bad_day day;
  ASSERT_TRUE(day.net.server().ensure(bus::consumer_config{.stream = "a", .name = "d", .backoff = {5s}}));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(day.net.server().publish({.subject = "a.x"}));
  auto first = day.home.start("first", [&](process& self) -> awaitable<void> {
    memory_port bus(self, day.net);
    auto work = bus.work("a", "d", 4);
    for (int i = 0; i < 4; ++i) co_await work->next();
    self.home().kill(self);
    co_await work->next();
  });
  EXPECT_TRUE(day.home.run_until(day.home.now() + 1s));
  EXPECT_FALSE(first->alive());
  std::multiset<int> attempts;
  EXPECT_EQ(run_alone(day.home,
                      [&](process& self) -> awaitable<void> {
                        memory_port bus(self, day.net);
                        auto work = bus.work("a", "d", 4);
                        for (int i = 0; i < 10; ++i) {
                          auto got = co_await work->next();
                          attempts.insert(got.attempt);
                          work->ack(got);
                        }
                      }),
            "returned");
  EXPECT_EQ(attempts.count(1), 6u);
  EXPECT_EQ(attempts.count(2), 4u);
}

awaitable<void> handle(bus::worker& work, std::map<std::uint64_t, int>& handled) {
  while (true) {
    auto got = co_await work.next();
    ++handled[got.message.sequence];
    work.ack(got);
  }
}

TEST(BadDay, EveryMessageIsHandledAtLeastOnce) {
  std::map<std::string, std::uint64_t> struck;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    bad_day day({.settle_lost = 0.1, .delivery_late = 0.05, .redelivered = 0.1}, seed);
    ASSERT_TRUE(day.net.server().ensure(bus::consumer_config{.stream = "a", .name = "d", .max_deliver = 100, .backoff = {5s}}));
    for (int i = 0; i < 50; ++i) ASSERT_TRUE(day.net.server().publish({.subject = "a.x"}));
    std::map<std::uint64_t, int> handled;
    for (std::string name : {"one", "two"})
      day.home.start(name, [&](process& self) -> awaitable<void> {
        memory_port bus(self, day.net);
        auto work = bus.work("a", "d", 4);
        co_await handle(*work, handled);
      });
    EXPECT_TRUE(day.home.run_until(day.home.now() + 1h));
    EXPECT_EQ(handled.size(), 50u);
    auto twice = std::ranges::count_if(handled, [](auto const& one) { return one.second > 1; });
    EXPECT_GT(twice, 0) << "seed " << seed;
    for (auto what : {"settle_lost", "delivery_late", "redelivered"}) struck[what] += day.struck(what);
  }
  for (auto const& [what, count] : struck) EXPECT_GT(count, 50u) << what;
}

/// Follows `a` with a view and checks, at the end, that it equals the stream.
struct viewer {
  bad_day& day;
  std::shared_ptr<process> who{};
  bus::view* content = nullptr;
  int restarts = 0;

  awaitable<void> main(process& self) {
    memory_port bus(self, day.net);
    sim_clock time(self);
    bus::view mine(bus, time, self.loop().get_executor(), "a", {"a.>"});
    content = &mine;
    co_await mine.run();
  }
  void launch() {
    who = day.home.start("viewer", [this](process& self) { return main(self); });
  }
  void expect_complete() {
    ASSERT_TRUE(content && content->ready());
    std::map<std::string, std::string> wanted, held;
    for (auto const& [sequence, message] : day.net.server().find("a")->all()) wanted[message.subject] = message.body;
    std::erase_if(wanted, [](auto const& one) { return one.second.empty(); });
    for (auto const& [subject, message] : content->all()) held[subject] = message.body;
    EXPECT_EQ(held, wanted);
  }
};

TEST(BadDay, AViewHoldsWhatTheStreamHoldsWhateverHappens) {
  std::map<std::string, std::uint64_t> struck;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    bad_day day({.feed_late = 0.1, .feed_restarted = 0.1}, seed);
    viewer it{day};
    it.launch();
    auto luck = day.home.fork("writes");
    auto start = day.home.now();
    for (int i = 0; i < 200; ++i)
      day.home.at(start + luck.between(0s, 10min),
                  [&day, subject = "a." + std::to_string(luck.below(20)), body = luck.below(5) ? std::to_string(i) : ""] {
                    ASSERT_TRUE(day.net.server().publish({.subject = subject, .body = body}));
                  });
    for (int i = 0; i < 20; ++i)
      day.home.at(start + luck.between(0s, 10min), [&day, which = luck.below(200)] { (void)day.net.server().erase("a", which); });
    day.home.at(start + luck.between(0s, 8min), [&day] { day.net.gap(8s); });
    day.home.at(start + luck.between(0s, 8min), [&day] { day.net.cut("viewer", 1min); });
    if (seed % 2) day.home.at(start + luck.between(0s, 8min), [&day] { day.net.lose_all(); });
    if (seed % 3)
      day.home.at(start + luck.between(0s, 8min), [&] {
        day.home.kill(*it.who);
        it.content = nullptr;
        it.launch();
      });
    // A feed does not see an erasure: only starting over shows it.
    day.home.at(start + 11min, [&day] { day.net.cut("viewer", 30s); });
    EXPECT_TRUE(day.home.run_until(start + 20min));
    it.expect_complete();
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << day.home.trace();
    for (auto what : {"feed_late", "feed_restarted"}) struck[what] += day.struck(what);
  }
  for (auto const& [what, count] : struck) EXPECT_GT(count, 100u) << what;
}

awaitable<void> hear(bus::listener& from, std::vector<std::string>& heard) {
  while (true) heard.push_back((co_await from.next()).body);
}

TEST(BadDay, WhatIsToldComesInOrderOrNotAtAll) {
  bad_day day({.tell_lost = 0.2});
  std::vector<std::string> heard;
  day.home.start("ear", [&](process& self) -> awaitable<void> {
    memory_port bus(self, day.net);
    auto from = bus.listen("live.>");
    co_await hear(*from, heard);
  });
  day.home.at(day.home.now() + 1s, [&] {
    day.home.start("mouth", [&](process& self) -> awaitable<void> {
      memory_port bus(self, day.net);
      sim_clock time(self);
      for (int i = 100; i < 200; ++i) bus.tell("live.x", std::to_string(i), {});
      co_await time.sleep_for(1s);
    });
  });
  EXPECT_TRUE(day.home.run_until(day.home.now() + 1min));
  EXPECT_TRUE(std::ranges::is_sorted(heard));
  EXPECT_EQ(heard.size(), 100 - day.struck("tell_lost"));
  EXPECT_LT(heard.size(), 95u);
}

TEST(BadDay, TheSameSeedIsTheSameDay) {
  auto play = [](std::uint64_t seed) {
    bad_day day(
        {.calls = {.lost_before = 0.05, .lost_after = 0.05, .late = 0.02, .twice = 0.05}, .redelivered = 0.1, .feed_restarted = 0.1}, seed);
    EXPECT_TRUE(day.net.server().ensure(bus::consumer_config{.stream = "a", .name = "d"}));
    viewer it{day};
    it.launch();
    for (std::string name : {"one", "two"})
      day.home.start(name, [&](process& self) -> awaitable<void> {
        memory_port bus(self, day.net);
        auto work = bus.work("a", "d", 4);
        for (int i = 0; i < 50; ++i) {
          (void)co_await bus.publish({.subject = "a." + self.name(), .body = std::to_string(i), .id = self.name() + std::to_string(i)});
          work->ack(co_await work->next());
        }
      });
    EXPECT_TRUE(day.home.run_until(day.home.now() + 10min));
    return std::pair(day.home.hash(), day.home.steps());
  };
  EXPECT_EQ(play(1), play(1));
  EXPECT_EQ(play(2), play(2));
  EXPECT_NE(play(1), play(2));
}

}  // namespace
}  // namespace kopiur::testing
