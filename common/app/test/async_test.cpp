#include "common/app/async.hpp"

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"

namespace kopiur::app {
namespace {

using namespace std::chrono_literals;
using testing::run;

awaitable<void> nap(clock& time, duration length, bool& done) {
  co_await time.sleep_for(length);
  done = true;
}
awaitable<void> fail_after(clock& time, duration length) {
  co_await time.sleep_for(length);
  throw std::runtime_error("broke");
}

TEST(FirstOf, CancelsTheSlowerAndWaitsForIt) {
  run([](asio::io_context& loop) -> awaitable<void> {
    system_clock time(loop.get_executor());
    bool quick = false, slow = false;
    co_await first_of(nap(time, 1ms, quick), nap(time, 10s, slow));
    EXPECT_TRUE(quick);
    EXPECT_FALSE(slow);
  });
}

TEST(FirstOf, AnErrorDoesNotWaitForTheOther) {
  run([](asio::io_context& loop) -> awaitable<void> {
    system_clock time(loop.get_executor());
    bool slow = false;
    auto start = std::chrono::steady_clock::now();
    EXPECT_THROW(co_await first_of(fail_after(time, 1ms), nap(time, 10s, slow)), std::runtime_error);
    EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  });
}

TEST(Within, ThrowsTimedOutWithItsReason) {
  run([](asio::io_context& loop) -> awaitable<void> {
    system_clock time(loop.get_executor());
    bool done = false;
    try {
      co_await within(time, 2ms, nap(time, 10s, done), "the nap took too long");
      ADD_FAILURE();
    } catch (timed_out const& e) {
      EXPECT_STREQ(e.what(), "the nap took too long");
    }
  });
}

TEST(Nursery, TheFirstErrorCancelsTheRest) {
  run([](asio::io_context& loop) -> awaitable<void> {
    system_clock time(loop.get_executor());
    nursery all(loop.get_executor());
    bool slow = false;
    all.spawn(nap(time, 10s, slow));
    all.spawn(fail_after(time, 1ms));
    EXPECT_THROW(co_await all.join(), std::runtime_error);
    EXPECT_FALSE(slow);
    EXPECT_EQ(all.alive(), 0u);
  });
}

awaitable<void> join_one(clock& time, bool& done) {
  nursery all(co_await asio::this_coro::executor);
  all.spawn(nap(time, 10s, done));
  co_await all.join();
  ADD_FAILURE() << "a cancelled join does not return";
}

TEST(Nursery, CancellingTheJoinEndsAll) {
  run([](asio::io_context& loop) -> awaitable<void> {
    system_clock time(loop.get_executor());
    bool quick = false, slow = false;
    co_await first_of(nap(time, 1ms, quick), join_one(time, slow));
    EXPECT_TRUE(quick);
    EXPECT_FALSE(slow);
  });
}

awaitable<void> wait_for(event& it, int& woken) {
  co_await it.wait(it.epoch());
  ++woken;
}

TEST(Event, WakesAllWhoWait) {
  run([](asio::io_context& loop) -> awaitable<void> {
    system_clock time(loop.get_executor());
    event it(loop.get_executor());
    nursery all(loop.get_executor());
    int woken = 0;
    all.spawn(wait_for(it, woken));
    all.spawn(wait_for(it, woken));
    co_await time.sleep_for(1ms);
    it.notify();
    co_await all.join();
    EXPECT_EQ(woken, 2);
  });
}

}  // namespace
}  // namespace kopiur::app
