#include "common/testing/world.hpp"

#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/testing/call.hpp"
#include "common/testing/test/run_alone.hpp"

namespace kopiur::testing {
namespace {

using namespace std::chrono_literals;
using app::awaitable;

awaitable<void> nap(sim_clock& time, duration length, bool& done) {
  co_await time.sleep_for(length);
  done = true;
}
awaitable<void> fail_after(sim_clock& time, duration length) {
  co_await time.sleep_for(length);
  throw std::runtime_error("broke");
}

TEST(World, TimeJumpsToWhatIsDue) {
  world home;
  auto start = home.now();
  auto ending = run_alone(home, [](process& self) -> awaitable<void> {
    sim_clock time(self);
    auto began = time.now();
    co_await time.sleep_for(5h);
    EXPECT_EQ(time.now() - began, 5h);
    co_await time.sleep_until(began + 7h);
    EXPECT_EQ(time.now() - began, 7h);
  });
  EXPECT_EQ(ending, "returned");
  EXPECT_EQ(home.now() - start, 7h);
  EXPECT_LT(home.steps(), 20u);
}

TEST(World, RunUntilStopsBetween) {
  world home;
  auto start = home.now();
  bool done = false;
  home.start("alone", [&](process& self) -> awaitable<void> {
    sim_clock time(self);
    co_await nap(time, 10s, done);
  });
  EXPECT_TRUE(home.run_until(start + 9s));
  EXPECT_EQ(home.now(), start + 9s);
  EXPECT_FALSE(done);
  EXPECT_TRUE(home.run_until(start + 11s));
  EXPECT_TRUE(done);
}

TEST(World, ACancelledSleepEndsInsideALiveProcess) {
  world home;
  EXPECT_EQ(run_alone(home,
                      [](process& self) -> awaitable<void> {
                        sim_clock time(self);
                        auto began = time.now();
                        bool quick = false, slow = false;
                        co_await app::first_of(nap(time, 1s, quick), nap(time, 10h, slow));
                        EXPECT_TRUE(quick && !slow);
                        EXPECT_EQ(time.now() - began, 1s);
                        EXPECT_THROW(co_await app::within(time, 2s, nap(time, 10h, slow), "too long"), app::timed_out);
                        EXPECT_FALSE(slow);
                        EXPECT_EQ(time.now() - began, 3s);
                        EXPECT_THROW(co_await app::first_of(fail_after(time, 1s), nap(time, 10h, slow)), std::runtime_error);
                      }),
            "returned");
}

TEST(World, ANurseryCancelsAndWaits) {
  world home;
  EXPECT_EQ(run_alone(home,
                      [](process& self) -> awaitable<void> {
                        sim_clock time(self);
                        app::nursery all(self.loop().get_executor());
                        bool done[3] = {};
                        for (auto& each : done) all.spawn(nap(time, 10h, each));
                        all.spawn(fail_after(time, 1s));
                        EXPECT_THROW(co_await all.join(), std::runtime_error);
                        EXPECT_FALSE(done[0] || done[1] || done[2]);
                        EXPECT_EQ(all.alive(), 0u);
                      }),
            "returned");
}

awaitable<void> join_one(sim_clock& time, bool& done) {
  app::nursery all(co_await asio::this_coro::executor);
  all.spawn(nap(time, 10h, done));
  co_await all.join();
}

TEST(World, CancellingAJoinEndsWhatItWaitsFor) {
  world home;
  EXPECT_EQ(run_alone(home,
                      [](process& self) -> awaitable<void> {
                        sim_clock time(self);
                        bool quick = false, slow = false;
                        co_await app::first_of(nap(time, 1s, quick), join_one(time, slow));
                        EXPECT_TRUE(quick && !slow);
                      }),
            "returned");
  EXPECT_LT(home.now() - world().now(), 1min);
}

awaitable<void> hear(app::event& happened, int& heard) {
  for (auto seen = happened.epoch();; seen = happened.epoch(), ++heard) co_await happened.wait(seen);
}

TEST(World, AnEventWakesItsWaiters) {
  world home;
  int heard = 0;
  EXPECT_EQ(run_alone(home,
                      [&](process& self) -> awaitable<void> {
                        sim_clock time(self);
                        app::event happened(self.loop().get_executor());
                        app::nursery all(self.loop().get_executor());
                        all.spawn(hear(happened, heard));
                        for (int i = 0; i < 3; ++i) {
                          co_await time.sleep_for(1s);
                          happened.notify();
                        }
                        co_await time.sleep_for(1s);
                        all.cancel();
                        co_await all.join();
                      }),
            "returned");
  EXPECT_EQ(heard, 3);
}

TEST(World, AnEscapedExceptionEndsTheProcess) {
  world home;
  EXPECT_EQ(run_alone(home,
                      [](process& self) -> awaitable<void> {
                        sim_clock time(self);
                        co_await fail_after(time, 1s);
                      }),
            "broke");
}

struct last_words {
  int* said;
  ~last_words() { ++*said; }
};

TEST(World, ADeadProcessActsNoMoreAndIsFreed) {
  world home;
  int passed = 0, freed = 0, effects = 0;
  auto who = home.start("victim", [&](process& self) -> awaitable<void> {
    sim_clock time(self);
    last_words mine{&freed};
    app::nursery all(self.loop().get_executor());
    bool done = false;
    all.spawn(nap(time, 10h, done));
    co_await time.sleep_for(1s);
    self.home().kill(self);
    ++passed;  // a process dies at its next port call, not in the middle of a line
    co_await self.home().ask<int>(self, [&](reply<int>) { ++effects; });
    ++passed;
  });
  EXPECT_TRUE(home.run_until(home.now() + 20h));
  EXPECT_FALSE(who->alive());
  EXPECT_EQ(passed, 1);
  EXPECT_EQ(freed, 1);
  EXPECT_EQ(effects, 0);
}

TEST(World, ACallInFlightStillTakesEffect) {
  world home;
  call_faults slow{.fastest = 1s, .slowest = 1s};
  int effects = 0;
  auto who = home.start("victim", [&](process& self) -> awaitable<void> {
    caller from{self, self.home().faults().place("victim"), slow, 5s};
    co_await call<int>(from, [&effects] { return std::optional(++effects); });
    ADD_FAILURE() << "the dead hear nothing";
  });
  home.at(home.now() + 500ms, [&] { home.kill(*who); });
  EXPECT_TRUE(home.run_until(home.now() + 1h));
  EXPECT_EQ(effects, 1);
}

TEST(World, CallsFailInEveryWay) {
  struct expected {
    char const* what;
    double call_faults::* fault;
    int effects;
    bool answered, survives;
  };
  for (auto const& row : {expected{"lost_before", &call_faults::lost_before, 0, false, true},
                          {"lost_after", &call_faults::lost_after, 1, false, true},
                          {"late", &call_faults::late, 1, false, true},
                          {"twice", &call_faults::twice, 2, true, true},
                          {"crash_before", &call_faults::crash_before, 0, false, false},
                          {"crash_after", &call_faults::crash_after, 1, false, false}}) {
    world home;
    call_faults faults{.fastest = 1s, .slowest = 1s, .lateness = 20s};
    faults.*row.fault = 1;
    int effects = 0;
    bool answered = false, survived = false;
    home.start("caller", [&](process& self) -> awaitable<void> {
      caller from{self, self.home().faults().place("caller"), faults, 2s};
      answered = (co_await call<int>(from, [&effects] { return std::optional(++effects); })).has_value();
      survived = true;
    });
    EXPECT_TRUE(home.run_until(home.now() + 1h));
    EXPECT_EQ(effects, row.effects) << row.what;
    EXPECT_EQ(answered, row.answered) << row.what;
    EXPECT_EQ(survived, row.survives) << row.what;
    EXPECT_EQ(home.faults().counts().at(row.what), 1u);
  }
}

TEST(World, ATerminatedProcessMayTidyUp) {
  world home;
  std::string ending;
  instant tidied{};
  home.on_end([&](std::string const&, std::string const& why) { ending = why; });
  auto start = home.now();
  auto who = home.start("polite", [&](process& self) -> awaitable<void> {
    sim_clock time(self);
    try {
      co_await time.sleep_for(10h);
    } catch (boost::system::system_error const&) {
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await time.sleep_for(1s);
    tidied = home.now();
  });
  home.at(start + 1h, [&] { home.terminate(*who); });
  while (home.step());
  home.on_end(nullptr);
  EXPECT_EQ(ending, "returned");
  EXPECT_EQ(tidied, start + 1h + 1s);
}

TEST(World, ALateEffectComesAfterTheCallerGaveUp) {
  world home;
  call_faults faults{.late = 1, .slowest = 30s, .lateness = 31s};
  int effects = 0;
  EXPECT_EQ(run_alone(home,
                      [&](process& self) -> awaitable<void> {
                        caller from{self, self.home().faults().place("late"), faults, 5s};
                        auto began = self.home().now();
                        EXPECT_FALSE(co_await call<int>(from, [&effects] { return std::optional(++effects); }));
                        EXPECT_EQ(self.home().now() - began, 5s);
                        EXPECT_EQ(effects, 0);
                        sim_clock time(self);
                        co_await time.sleep_for(2min);
                        EXPECT_EQ(effects, 1);
                      }),
            "returned");
  EXPECT_EQ(home.faults().counts().at("late"), 1u);
}

TEST(World, SteppedClocksMoveWallTimeOnly) {
  world home;
  auto start = home.now();
  instant woke_wall{}, woke_steady{};
  home.start("wall", [&](process& self) -> awaitable<void> {
    sim_clock time(self);
    co_await time.sleep_until(start + 10h);
    EXPECT_GE(time.now(), start + 10h);
    woke_wall = home.now();
  });
  home.start("steady", [&](process& self) -> awaitable<void> {
    sim_clock time(self);
    co_await time.sleep_for(3h);
    woke_steady = home.now();
  });
  home.at(start + 1h, [&] { home.step_clock(5h); });
  home.at(start + 2h, [&] { home.step_clock(-3h); });
  home.at(start + 4h, [&] { home.step_clock("wall", 2h); });
  EXPECT_TRUE(home.run_until(start + 24h));
  EXPECT_EQ(woke_wall, start + 6h);
  EXPECT_EQ(woke_steady, start + 3h);
}

TEST(World, AStepForthWakesWithinASecond) {
  world home;
  auto start = home.now();
  instant woke{};
  home.start("wall", [&](process& self) -> awaitable<void> {
    sim_clock time(self);
    co_await time.sleep_until(start + 10h);
    woke = home.now();
  });
  home.at(start + 1h, [&] { home.step_clock(24h); });
  EXPECT_TRUE(home.run_until(start + 24h));
  EXPECT_GE(woke, start + 1h);
  EXPECT_LE(woke, start + 1h + 1s);
}

TEST(World, ASkewSurvivesARestart) {
  world home;
  home.step_clock("one", 90min);
  EXPECT_EQ(run_alone(home,
                      [](process& self) -> awaitable<void> {
                        EXPECT_EQ(self.wall(), self.home().wall());
                        co_return;
                      }),
            "returned");
  home.start("one", [](process& self) -> awaitable<void> {
    EXPECT_EQ(self.wall(), self.home().wall() + 90min);
    co_return;
  });
  while (home.step());
}

TEST(World, AStalledProcessWaits) {
  world home;
  auto start = home.now();
  instant woke{};
  auto who = home.start("slow", [&](process& self) -> awaitable<void> {
    sim_clock time(self);
    co_await time.sleep_for(1s);
    woke = home.now();
  });
  home.at(start + 500ms, [&] { home.stall(*who, start + 1min); });
  EXPECT_TRUE(home.run_until(start + 1h));
  EXPECT_EQ(woke, start + 1min);
}

TEST(World, ManyCancelledSleepsLeaveNothingBehind) {
  world home;
  EXPECT_EQ(run_alone(home,
                      [](process& self) -> awaitable<void> {
                        sim_clock time(self);
                        for (int i = 0; i < 5000; ++i) {
                          bool done = false;
                          co_await app::within(time, 24h, nap(time, 1ms, done), "never");
                        }
                      }),
            "returned");
  EXPECT_LT(home.now() - world().now(), 10s) << "void waits do not move time";
}

TEST(World, ALivelockIsAViolation) {
  world home({.patience = 1000});
  home.start("busy", [](process& self) -> awaitable<void> {
    while (true) co_await asio::post(self.loop(), asio::use_awaitable);
  });
  EXPECT_FALSE(home.run_until(home.now() + 1s));
  EXPECT_EQ(home.violated()->rule, "livelock");
}

TEST(World, AViolationEndsTheRunAndTellsHowToSeeItAgain) {
  world home({.seed = 7});
  home.note("somebody", "did", "something", "ok");
  home.trouble(home.now() + 1s, "mishap", [&] { home.violate("rule", "It broke."); });
  home.at(home.now() + 2s, [] { ADD_FAILURE(); });
  EXPECT_FALSE(home.run_until(home.now() + 1h));
  auto text = describe(*home.violated());
  for (auto part : {"rule: It broke.", "seed 7", "mishap#1 mishap", "somebody: did something -> ok"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(World, LeavesOutWhatIsNotAllowed) {
  for (bool allowed : {true, false}) {
    world home({.allowed = allowed ? std::set<fault_id>{{"mishap", 2}} : std::set<fault_id>{}});
    std::vector<int> struck;
    for (int i : {1, 2, 3}) home.trouble(home.now() + i * 1s, "mishap", [&struck, i] { struck.push_back(i); });
    EXPECT_TRUE(home.run_until(home.now() + 1min));
    EXPECT_EQ(struck, allowed ? std::vector{2} : std::vector<int>{});
  }
}

TEST(Ledger, StrikesAsOftenAsItWasTold) {
  fault_ledger faults(3, {});
  auto& here = faults.place("here");
  std::vector<chance> const chances{{0.25, "often"}, {0.05, "rarely"}};
  for (int i = 0; i < 20'000; ++i) faults.draw(here, chances, {});
  EXPECT_NEAR(static_cast<double>(faults.counts().at("often")), 5000, 300);
  EXPECT_NEAR(static_cast<double>(faults.counts().at("rarely")), 1000, 150);
  EXPECT_EQ(faults.struck().size(), faults.counts().at("often") + faults.counts().at("rarely"));
}

TEST(Ledger, NamesItsFaultsBothWays) {
  fault_id id{"worker-1/bus requests", 17};
  EXPECT_EQ(describe(id), "worker-1/bus requests#17");
  EXPECT_EQ(fault_from(describe(id)), id);
  for (auto wrong : {"", "worker", "worker#", "worker#x", "worker#1x"}) EXPECT_FALSE(fault_from(wrong)) << wrong;
}

TEST(Ledger, OnePlaceDoesNotMoveAnother) {
  auto struck_here = [](int elsewhere) {
    fault_ledger faults(3, {});
    std::vector<chance> const chances{{0.1, "x"}};
    std::vector<int> struck;
    for (int i = 0; i < 200; ++i) {
      for (int k = 0; k < elsewhere; ++k) faults.draw(faults.place("elsewhere"), chances, {});
      if (faults.draw(faults.place("here"), chances, {})) struck.push_back(i);
    }
    return struck;
  };
  EXPECT_EQ(struck_here(0), struck_here(3));
  EXPECT_FALSE(struck_here(0).empty());
}

}  // namespace
}  // namespace kopiur::testing
