#include "common/http/pool.hpp"

#include "common/http/test/scripted_server.hpp"

namespace kopiur::http::test {
namespace {

using namespace std::chrono_literals;

TEST(Pool, UsesAConnectionAgainAndNotWhatIsUnread) {
  with_server(answer_each, [&](place& here) -> awaitable<void> {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(co_await text_of(here, here.request()), "200 ok");
    EXPECT_EQ(here.accepted, 1);
    EXPECT_EQ(here.connections.idle(), 1U);
    EXPECT_TRUE(co_await here.connections.ask(here.request())) << "its body stays unread";
    EXPECT_EQ(here.connections.idle(), 0U);
    EXPECT_EQ(co_await text_of(here, here.request()), "200 ok");
    EXPECT_EQ(here.accepted, 2);
  });
}

TEST(Pool, KeepsNoConnectionLongerThanItMay) {
  with_server(answer_each,
              [&](place& here) -> awaitable<void> {
                for (int i = 0; i < 2; ++i) {
                  EXPECT_EQ(co_await text_of(here, here.request()), "200 ok");
                  co_await here.time.sleep_for(2ms);  // longer than `idle`
                }
                EXPECT_EQ(here.accepted, 2);
              },
              {.idle = 1ms});
}

TEST(Pool, NoticesAConnectionThatThePeerHasClosed) {
  app::event *idle = nullptr, *closed = nullptr;
  with_server(
      [&](peer& client, int) -> awaitable<void> {
        co_await client.header();
        co_await client.body(5);
        auto seen = idle->epoch();
        co_await client.say(nothing);
        co_await idle->wait(seen);
        co_await client.say_last("");
        closed->notify();
      },
      [&](place& here) -> awaitable<void> {
        app::event one(co_await asio::this_coro::executor), two(co_await asio::this_coro::executor);
        idle = &one, closed = &two;
        for (int i = 0; i < 2; ++i) {
          auto seen = two.epoch();
          EXPECT_EQ(co_await text_of(here, here.request("POST", text_upload("hello"))), "200 ");
          EXPECT_EQ(here.connections.idle(), 1U);
          one.notify();
          co_await two.wait(seen);
        }
        EXPECT_EQ(here.accepted, 2);
      });
}

/// A second request on the first connection gets no answer; what happens to it?
std::string second_request(std::string method, std::function<upload()> make, std::optional<bool> repeatable = {}) {
  std::string text;
  with_server(
      [&](peer& client, int number) -> awaitable<void> {
        auto length = make().length;
        for (int served = 0; !(co_await client.header()).empty(); ++served) {
          co_await client.body(length);
          if (number == 1 && served == 1) co_return;
          co_await client.say(nothing);
        }
      },
      [&](place& here) -> awaitable<void> {
        for (int i = 0; i < 2; ++i) {
          auto what = here.request(method, make());
          what.repeatable = repeatable;
          text = co_await text_of(here, std::move(what));
        }
        if (text == "200 ") EXPECT_EQ(here.accepted, 2);
      });
  return text;
}

TEST(Pool, SendsAgainWhatMayBeSentAgain) {
  EXPECT_EQ(second_request("GET", [] { return upload(); }), "200 ");
  EXPECT_EQ(second_request("PUT", [] { return text_upload("hello"); }), "200 ");
  EXPECT_EQ(second_request("POST", [] { return text_upload("hello"); }, true), "200 ");
}

TEST(Pool, SendsNothingAgainThatMayHaveBeenDone) {
  EXPECT_TRUE(second_request("POST", [] { return text_upload("hello"); }).contains("POST http://127.0.0.1:")) << "not idempotent";
  EXPECT_TRUE(second_request("GET", [] { return upload(); }, false).contains(" failed: "));
  counted body{.text = "hello"};
  auto once = [&] { return body.sent = 0, body.once(); };
  auto text = second_request("PUT", once);
  EXPECT_TRUE(text.contains(" failed: ") && !text.contains("bad_function_call")) << text << ": its body is gone";
}

TEST(Pool, OpensNoMoreConnectionsThanItMay) {
  with_server(answer_each,
              [](place& here) -> awaitable<void> {
                auto first = co_await here.connections.ask(here.request());
                auto what = here.request();
                what.limits.total = 20ms;
                EXPECT_TRUE((co_await text_of(here, std::move(what))).contains("not finished within 20ms"));
                auto second = [](place& server) -> awaitable<void> { EXPECT_EQ(co_await text_of(server, server.request()), "200 ok"); };
                auto read = [](download& from) -> awaitable<void> {
                  EXPECT_TRUE(co_await from.text(100));
                  auto end = std::move(from);
                };
                app::nursery both(co_await asio::this_coro::executor);
                both.spawn(second(here));
                both.spawn(read(first.value()));
                co_await both.join();
                EXPECT_EQ(here.accepted, 1);
              },
              {.connections = 1});
}

TEST(Pool, RefusesHeadersThatAreNone) {
  with_server(answer_each, [](place& here) -> awaitable<void> {
    auto what = here.request();
    what.headers.emplace_back("X", "a\r\nEvil: 1");
    EXPECT_EQ(co_await text_of(here, std::move(what)), "The header \"X\" is none: a name or value holds what no header may hold.");
    EXPECT_EQ(here.accepted, 0);
  });
}

TEST(Pool, RefusesAnAnswerThatIsTooLong) {
  with_server(answer_each, [](place& here) -> awaitable<void> {
    auto answer = co_await here.connections.ask(here.request());
    EXPECT_FALSE(co_await answer.value().text(1));
  });
}

}  // namespace
}  // namespace kopiur::http::test
