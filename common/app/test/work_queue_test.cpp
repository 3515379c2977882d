#include "common/app/work_queue.hpp"

#include <gtest/gtest.h>

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"

namespace kopiur::app {
namespace {

using namespace std::chrono_literals;
using testing::run;

/// A queue whose work takes a few milliseconds and is counted.
struct workshop {
  explicit workshop(asio::io_context& loop, std::size_t workers = 4)
      : time(loop.get_executor()), queue(time, loop.get_executor(), workers) {}

  awaitable<void> work(std::string key) {
    EXPECT_TRUE(inside.insert(key).second) << key << " is in work twice";
    began.push_back(key);
    co_await time.sleep_for(3ms);
    inside.erase(key);
    ++ended[key];
    if (key == fails) throw std::runtime_error("broken");
  }
  /// Works while `test` runs.
  awaitable<void> during(awaitable<void> test) {
    co_await first_of(std::move(test), queue.run([this](std::string key) { return work(std::move(key)); }));
  }

  system_clock time;
  work_queue<std::string> queue;
  std::set<std::string> inside;
  std::vector<std::string> began;
  std::map<std::string, int> ended;
  std::string fails;
};

TEST(WorkQueue, MakesManyRequestsOnePieceOfWork) {
  run([](asio::io_context& loop) -> awaitable<void> {
    workshop shop(loop);
    auto test = [&]() -> awaitable<void> {
      for (int i = 0; i < 5; ++i) shop.queue.add("a");
      co_await shop.queue.done({"a"});
    };
    co_await shop.during(test());
    EXPECT_EQ(shop.ended["a"], 1);
  });
}

/// The work that runs may have looked before the request.
TEST(WorkQueue, AnsweredRequestsSawWorkThatBeganAfterThem) {
  run([](asio::io_context& loop) -> awaitable<void> {
    workshop shop(loop);
    auto test = [&]() -> awaitable<void> {
      shop.queue.add("a");
      co_await shop.time.sleep_for(1ms);
      EXPECT_EQ(shop.began.size(), 1u);
      co_await shop.queue.done({"a"});
      EXPECT_EQ(shop.ended["a"], 2);
    };
    co_await shop.during(test());
  });
}

TEST(WorkQueue, WorksAtTheRequestedTimeOnceForEachKey) {
  run([](asio::io_context& loop) -> awaitable<void> {
    workshop shop(loop, 1);
    auto test = [&]() -> awaitable<void> {
      auto now = shop.time.now();
      shop.queue.add_at("late", now + 12ms);
      shop.queue.add_at("early", now + 4ms);
      shop.queue.add_at("never", now + 2ms);
      shop.queue.clear_time("never");
      while (shop.ended.size() < 2) co_await shop.time.sleep_for(1ms);
    };
    co_await shop.during(test());
    EXPECT_EQ(shop.began, (std::vector<std::string>{"early", "late"}));
  });
}

TEST(WorkQueue, DelaysARequestUnlessWorkBeginsSooner) {
  run([](asio::io_context& loop) -> awaitable<void> {
    workshop shop(loop);
    auto test = [&]() -> awaitable<void> {
      shop.queue.add_after("a", 15ms), shop.queue.add_after("b", 4ms), shop.queue.add_after("b", 1h);
      co_await shop.queue.done({"a"});
      co_await shop.time.sleep_for(25ms);
    };
    co_await shop.during(test());
    EXPECT_EQ(shop.began, (std::vector<std::string>{"a", "b"}));
  });
}

TEST(WorkQueue, WorksOnTheBackgroundLast) {
  run([](asio::io_context& loop) -> awaitable<void> {
    workshop shop(loop, 1);
    auto test = [&]() -> awaitable<void> {
      shop.queue.add("slow", urgency::background);
      shop.queue.add("last", urgency::background);
      shop.queue.add("first");
      co_await shop.queue.background_taken();
      co_await shop.queue.done({"last"});
    };
    shop.queue.add("before");
    co_await shop.during(test());
    EXPECT_EQ(shop.began, (std::vector<std::string>{"before", "first", "slow", "last", "last"}));
  });
}

TEST(WorkQueue, WorksOnADelayedRequestInTheBackgroundLast) {
  run([](asio::io_context& loop) -> awaitable<void> {
    system_clock time(loop.get_executor());
    work_queue<std::string> queue(time, loop.get_executor(), 1);
    std::vector<std::string> began;
    auto work = [&](std::string key) -> awaitable<void> {
      began.push_back(key);
      while (key == "busy" && queue.waiting() < 2) co_await time.sleep_for(1ms);
    };
    auto all_began = [&]() -> awaitable<void> {
      while (began.size() < 3) co_await time.sleep_for(1ms);
    };
    queue.add("busy"), queue.add_after("quiet", 1ms, urgency::background), queue.add_after("due", 3ms);
    co_await first_of(queue.run(work), all_began());
    EXPECT_EQ(began, (std::vector<std::string>{"busy", "due", "quiet"}));
  });
}

TEST(WorkQueue, EndsWithTheErrorOfItsWork) {
  run([](asio::io_context& loop) -> awaitable<void> {
    workshop shop(loop);
    shop.fails = "b";
    shop.queue.add("a"), shop.queue.add("b"), shop.queue.add("c");
    bool failed = false;
    try {
      co_await shop.during(shop.queue.done({"b"}));
    } catch (std::runtime_error const& e) {
      failed = e.what() == std::string("broken");
    }
    EXPECT_TRUE(failed);
  });
}

TEST(WorkQueue, StopsItsWorkWhenItIsCancelled) {
  run([](asio::io_context& loop) -> awaitable<void> {
    workshop shop(loop);
    auto slow = [&](std::string) { return shop.time.sleep_for(1h); };
    shop.queue.add("a");
    co_await first_of(shop.queue.run(slow), shop.time.sleep_for(5ms));
    EXPECT_EQ(shop.queue.in_work(), 0u);
    shop.queue.add("b");  // nobody works any more
    EXPECT_EQ(shop.queue.waiting(), 1u);
  });
}

}  // namespace
}  // namespace kopiur::app
