#include "services/gateway/kubernetes/objects/shared_answers.hpp"

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;
using testing::run;

/// An API that takes 20 ms, and answers with the number of the request.
struct api {
  explicit api(asio::io_context& loop, shared_answers<std::string, int>::settings settings = {})
      : time(loop.get_executor()),
        answers(time, loop.get_executor(), settings, [this](std::string ns) { return asked(std::move(ns)); }),
        people(loop.get_executor()) {}
  awaitable<outcome<int>> asked(std::string ns) {
    auto number = ++questions;
    co_await time.sleep_for(20ms);
    if (ns == "closed") co_return refuse(proto::answer_code::Forbidden, "no");
    co_return number;
  }
  awaitable<void> want(std::string ns) {
    auto got = co_await answers.of(ns);
    got ? heard.push_back(**got) : heard.push_back(0);
  }

  app::system_clock time;
  shared_answers<std::string, int> answers;
  app::nursery people;
  int questions = 0;
  std::vector<int> heard;
};

TEST(SharedAnswers, AreAskedForAfterWhoeverGetsThemCame) {
  run([](asio::io_context& loop) -> awaitable<void> {
    api api(loop);
    api.people.spawn(api.want("a"));
    co_await api.time.sleep_for(5ms);
    for (int i = 0; i < 9; ++i) api.people.spawn(api.want("a"));
    co_await api.people.join();
    EXPECT_EQ(api.heard, (std::vector{1, 2, 2, 2, 2, 2, 2, 2, 2, 2}));
    co_await api.want("a");
    co_await api.want("b");
    EXPECT_EQ(api.questions, 4);
  });
}

awaitable<void> is_good_for_a_while(asio::io_context& loop, shared_answers<std::string, int>::settings settings) {
  api api(loop, settings);
  co_await api.want("a");
  co_await api.time.sleep_for(50ms);
  co_await api.want("a");
  EXPECT_EQ(api.questions, 1);
  co_await api.time.sleep_for(1s);
  co_await api.want("a");
  EXPECT_EQ(api.questions, 2);
}

TEST(SharedAnswers, AreGoodForTheirAgeAndForSoManyTimesAsTheyTook) {
  for (auto given : std::vector<shared_answers<std::string, int>::settings>{{.age = 200ms}, {.age = 1ms, .rest_factor = 10}})
    run([&given](asio::io_context& loop) { return is_good_for_a_while(loop, given); });
}

TEST(SharedAnswers, ARefusalIsSharedAndNotKept) {
  run([](asio::io_context& loop) -> awaitable<void> {
    api api(loop);
    api.people.spawn(api.want("open"));
    for (int i = 0; i < 5; ++i) api.people.spawn(api.want("closed"));
    co_await api.people.join();
    EXPECT_EQ(std::ranges::count(api.heard, 0), 5);
    EXPECT_LE(api.questions, 3);
    co_await api.want("closed");
    EXPECT_LE(api.questions, 4);
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
