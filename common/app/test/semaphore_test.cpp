#include "common/app/semaphore.hpp"

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"

namespace kopiur::app {
namespace {

using namespace std::chrono_literals;
using testing::run;

struct office {
  explicit office(asio::io_context& loop) : time(loop.get_executor()), places(loop.get_executor(), 2), people(loop.get_executor()) {}
  awaitable<void> visit(int who, duration length) {
    auto permit = co_await places.take();
    std::shared_ptr<void> leaves(nullptr, [counted = inside](auto) { --*counted; });
    most = std::max(most, ++*inside);
    came.push_back(who);
    co_await time.sleep_for(length);
  }

  awaitable<void> take_two() { auto first = co_await places.take(), second = co_await places.take(); }

  system_clock time;
  semaphore places;
  nursery people;
  std::vector<int> came;
  std::shared_ptr<int> inside = std::make_shared<int>();
  int most = 0;
};

TEST(Turns, GoInOrderAndSoManyAtATime) {
  run([](asio::io_context& loop) -> awaitable<void> {
    office one(loop);
    for (int who = 0; who < 9; ++who) one.people.spawn(one.visit(who, who < 2 ? 50ms : 1ms));
    co_await one.people.join();
    EXPECT_EQ(one.came, (std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(one.most, 2);
  });
}

TEST(Turns, WhoGivesUpIsNoHoleInTheLine) {
  run([](asio::io_context& loop) -> awaitable<void> {
    office one(loop);
    std::optional first(co_await one.places.take()), second(co_await one.places.take());
    EXPECT_THROW(co_await within(one.time, 2ms, one.visit(0, 1ms), "gave up"), timed_out);
    one.people.spawn(one.visit(1, 1ms));
    first.reset(), second.reset();
    co_await one.people.join();
    EXPECT_EQ(one.came, std::vector{1});
  });
}

/// A waiter that is cancelled just after it was granted a permit returns it.
TEST(Turns, NoTurnIsLostToWhoIsCancelledMeanwhile) {
  run([](asio::io_context& loop) -> awaitable<void> {
    office one(loop);
    std::optional first(co_await one.places.take()), second(co_await one.places.take());
    nursery waits(loop.get_executor());
    waits.spawn(one.visit(0, 1ms));
    co_await one.time.sleep_for(1ms);
    waits.cancel();
    first.reset(), second.reset();
    co_await waits.join();
    co_await within(one.time, 5s, one.take_two(), "a permit is lost");
  });
}

/// As after kill -9 in the simulation: the loop destroys waiters and permit holders in its own order.
TEST(Turns, AreTornDownInAnyOrder) {
  std::optional<asio::io_context> loop(std::in_place);
  auto home = std::make_unique<office>(*loop);
  for (int who = 0; who < 5; ++who) home->people.spawn(home->visit(who, 1h));
  loop->poll();
  EXPECT_EQ(*home->inside, 2);
  std::optional taken(home->places.take_at_once());
  struct keeper {
    static awaitable<void> keep(std::unique_ptr<office> office_of_one, std::optional<semaphore::permit> permit) {
      co_await office_of_one->time.sleep_for(1h);
      permit.reset();
    }
  };
  asio::co_spawn(*loop, keeper::keep(std::move(home), std::move(taken)), asio::detached);
  loop->poll();
  loop.reset();
}

TEST(Turns, WhatCannotWaitGoesAtOnce) {
  run([](asio::io_context& loop) -> awaitable<void> {
    office one(loop);
    auto first = co_await one.places.take(), second = co_await one.places.take();
    one.people.spawn(one.visit(0, 1ms));
    std::optional third(one.places.take_at_once());
    co_await one.time.sleep_for(1ms);
    third.reset();
    EXPECT_TRUE(one.came.empty());
    one.people.cancel();
    EXPECT_NO_THROW(co_await one.people.join());
  });
}

}  // namespace
}  // namespace kopiur::app
