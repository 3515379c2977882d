#include "common/app/timer_queue.hpp"

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"

namespace kopiur::app {
namespace {

using namespace std::chrono_literals;
using testing::run;

struct clockwork {
  explicit clockwork(asio::io_context& loop) : time(loop.get_executor()), all(time, loop.get_executor()) {}

  system_clock time;
  timer_queue<std::string> all;
  instant now = time.now();
};

TEST(Alarms, ComeInTheOrderOfTheirTimesEachOnce) {
  run([](asio::io_context& loop) -> awaitable<void> {
    clockwork clockwork(loop);
    auto& all = clockwork.all;
    auto now = clockwork.now;
    all.set("late", now + 6ms);
    all.set("early", now + 3ms);
    all.set("moved", now + 1h);
    all.set("moved", now + 1ms);
    all.set("cleared", now);
    all.clear("cleared");
    EXPECT_EQ(co_await all.due(), "moved");
    EXPECT_EQ(co_await all.due(), "early");
    EXPECT_EQ(co_await all.due(), "late");
    EXPECT_EQ(all.size(), 0u);
  });
}

TEST(Alarms, AtLatestNeverPutsOff) {
  run([](asio::io_context& loop) -> awaitable<void> {
    clockwork clockwork(loop);
    auto& all = clockwork.all;
    auto now = clockwork.now;
    all.set_at_latest("a", now + 2ms);
    all.set_at_latest("a", now + 1h);
    all.set("b", now + 1h);
    all.set_at_latest("b", now + 4ms);
    EXPECT_EQ(co_await all.due(), "a");
    EXPECT_EQ(co_await all.due(), "b");
  });
}

}  // namespace
}  // namespace kopiur::app
