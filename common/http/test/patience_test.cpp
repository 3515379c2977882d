#include "common/http/test/scripted_server.hpp"

namespace kopiur::http::test {
namespace {

using namespace std::chrono_literals;

TEST(Patience, NoticesAPeerThatAcceptsAndNeverAnswers) {
  with_server([](peer& client, int) -> awaitable<void> { co_await client.until_closed(); },
              [](place& here) -> awaitable<void> {
                auto what = here.request();
                what.limits.idle = 20ms;
                EXPECT_TRUE((co_await text_of(here, what)).contains("/x failed: the server neither took nor sent anything for 20ms."));
                auto blocked = here.request("PUT", text_upload(std::string(1 << 20, 'x')));
                blocked.limits.idle = 20ms;
                EXPECT_TRUE((co_await text_of(here, std::move(blocked))).contains("for 20ms."));
              });
}

TEST(Patience, EndsAnAnswerThatTrickles) {
  with_server(
      [](peer& client, int) -> awaitable<void> {
        app::system_clock time(co_await asio::this_coro::executor);
        co_await client.header();
        co_await client.say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        while (co_await client.say("x")) co_await time.sleep_for(1ms);
      },
      [](place& here) -> awaitable<void> {
        auto what = here.request();
        what.limits.total = 50ms;
        auto text = co_await text_of(here, std::move(what));
        EXPECT_TRUE(text.contains("broke off: not finished within 50ms")) << text;
      });
}

TEST(Patience, CanBeCancelledInTheMiddleOfAnAnswer) {
  with_server(
      [](peer& client, int) -> awaitable<void> {
        co_await client.header();
        co_await client.say("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        co_await client.until_closed();
      },
      [](place& here) -> awaitable<void> {
        std::exception_ptr failed;
        app::event reading(co_await asio::this_coro::executor);
        auto read = [](place& server, app::event& began, std::exception_ptr& why) -> awaitable<void> {
          try {
            auto answer = co_await server.connections.ask(server.request());
            began.notify();
            co_await answer.value().text(1000);
          } catch (...) {
            why = std::current_exception();
          }
        };
        co_await app::first_of(read(here, reading, failed), reading.wait(0));
        EXPECT_TRUE(app::is_cancelled(failed));
        EXPECT_EQ(here.connections.idle(), 0U);
      });
}

}  // namespace
}  // namespace kopiur::http::test
