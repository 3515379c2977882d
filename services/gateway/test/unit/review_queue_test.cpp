#include "services/gateway/admission/review_queue.hpp"

#include <gtest/gtest.h>

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;

/// Reviews of the namespace `stuck` are not answered until the end of the test; one of `broken` fails.
struct webhook_stage {
  explicit webhook_stage(asio::io_context& loop)
      : time(loop.get_executor()),
        never(loop.get_executor()),
        callers(loop.get_executor()),
        reviews(time, loop.get_executor(), [this](json::value const& review) { return examine(review); }) {}

  static json::value review_in(std::string const& ns) { return *json::parse(R"({"request":{"namespace":")" + ns + R"("}})"); }
  awaitable<std::optional<json::value>> examine(json::value const& review) {
    auto ns = std::string(review.text("request.namespace"));
    ++examined[ns];
    if (ns == "stuck") co_await never.wait();
    if (ns == "broken") throw std::runtime_error("no objects");
    co_return json::value(ns);
  }
  awaitable<void> ask(std::string ns) { (void)co_await reviews.answer(review_in(ns)); }

  app::system_clock time;
  app::signal never;
  app::nursery callers;
  std::map<std::string, int> examined;
  review_queue reviews;
};

/// Runs `test` beside the queue of a stage.
void during(awaitable<void> (*test)(webhook_stage&)) {
  testing::run([test](asio::io_context& loop) -> awaitable<void> {
    webhook_stage stage(loop);
    co_await app::first_of(test(stage), stage.reviews.run());
    stage.callers.cancel();
    co_await stage.callers.join();
  });
}

TEST(ReviewQueue, LeavesWorkersToOtherNamespaces) {
  during([](webhook_stage& stage) -> awaitable<void> {
    for (int i = 0; i < 200; ++i) stage.callers.spawn(stage.ask("stuck"));
    auto said = co_await stage.reviews.answer(webhook_stage::review_in("home"));
    EXPECT_EQ(*said->as_string(), "home");
    EXPECT_EQ(stage.examined["stuck"], static_cast<int>(review_queue::reviews_at_a_time) / 2);
  });
}

/// The API server waits for ten seconds and gives up: what nobody waits for is not examined.
TEST(ReviewQueue, ExaminesNothingForACallerWhoHasLeft) {
  during([](webhook_stage& stage) -> awaitable<void> {
    constexpr int in_work = review_queue::reviews_at_a_time / 2;
    for (int i = 0; i < in_work; ++i) stage.callers.spawn(stage.ask("stuck"));
    EXPECT_THROW(co_await app::within(stage.time, 5ms, stage.ask("stuck"), "gave up"), app::timed_out);
    stage.never.notify_all();
    co_await stage.callers.join();
    EXPECT_EQ(stage.examined["stuck"], in_work);
  });
}

TEST(ReviewQueue, GivesAFailureToItsCallerAlone) {
  during([](webhook_stage& stage) -> awaitable<void> {
    EXPECT_THROW((void)co_await stage.reviews.answer(webhook_stage::review_in("broken")), std::runtime_error);
    EXPECT_TRUE(co_await stage.reviews.answer(webhook_stage::review_in("home")));
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
