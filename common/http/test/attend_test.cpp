#include "common/http/attend.hpp"

#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/connection.hpp"
#include "common/http/test/sockets.hpp"
#include "common/testing/run.hpp"

namespace kopiur::http {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

awaitable<page> echo(asked what) { co_return page{201, what.method + " " + what.path + " " + what.body}; }

/// Serves one client with `how`; `visit` acts as that client, on an open socket.
void with_guest(manners manners, std::function<awaitable<void>(tcp::socket&)> visit, answering by = echo) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
    tcp::socket client(loop);
    co_await client.async_connect(door.local_endpoint(), use_awaitable);
    app::nursery server(loop.get_executor());
    server.spawn(attend(co_await door.async_accept(use_awaitable), by, manners));
    co_await visit(client);
    server.cancel();
    co_await server.join();
  });
}

TEST(Attend, AnswersRequestAfterRequestOverOneConnection) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
    auto where = parse_url("http://127.0.0.1:" + std::to_string(door.local_endpoint().port())).value();
    connection client(loop.get_executor(), nullptr, where);
    co_await client.open();
    app::nursery server(loop.get_executor());
    server.spawn(attend(co_await door.async_accept(use_awaitable), echo, {}));
    for (auto body : {std::string("one"), std::string(100'000, 'x')}) {
      auto said = co_await client.exchange({.method = "POST", .target = "/a?b=c", .headers = {}, .body = body, .longest = 1 << 20});
      EXPECT_EQ(said.status, 201);
      EXPECT_EQ(said.body, "POST /a " + body);
      EXPECT_TRUE(client.is_fresh());
    }
    server.cancel();
    co_await server.join();
  });
}

TEST(Attend, ClosesAfterAsManyRequestsAsItMay) {
  with_guest({.requests = 2}, [](tcp::socket& client) -> awaitable<void> {
    co_await say(client, "GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n");
    auto heard = co_await hear(client);
    EXPECT_NE(heard.find("GET /1"), heard.npos) << heard;
    EXPECT_NE(heard.find("Connection: close\r\nContent-Length: 7\r\n\r\nGET /2 "), heard.npos) << heard;
    EXPECT_EQ(heard.find("GET /3"), heard.npos) << heard;
  });
}

TEST(Attend, LetsGoWhoSaysNothingTooLittleOrNoHttp) {
  for (std::string what : {"", "GET / HT", "hello\r\n\r\n"})
    with_guest({.arrival = 100ms}, [&](tcp::socket& client) -> awaitable<void> {
      co_await say(client, what);
      EXPECT_EQ(co_await hear(client), "") << what;
    });
}

TEST(Attend, LetsGoWhoRestsForLongOrNeverEndsARequest) {
  for (std::string what : {"", "GET / HT"})
    with_guest({.arrival = 100ms, .idle = 100ms}, [&](tcp::socket& client) -> awaitable<void> {
      co_await say(client, "GET /1 HTTP/1.1\r\n\r\n" + what);
      auto heard = co_await hear(client);
      EXPECT_TRUE(heard.ends_with("GET /1 ")) << heard;
    });
  with_guest({.patience = 100ms}, [&](tcp::socket& client) -> awaitable<void> {
    co_await say(client, "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nx");
    EXPECT_EQ(co_await hear(client), "");
  });
}

/// Whether the length is stated, or the body comes in pieces that never end. The client is still writing when it gets its answer.
TEST(Attend, SaysThatABodyIsOneByteTooLong) {
  auto const endless = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nb\r\nhello world\r\n";
  for (std::string what : {"POST / HTTP/1.1\r\nContent-Length: 11\r\n\r\nhello", endless})
    with_guest({.longest = 10}, [&](tcp::socket& client) -> awaitable<void> {
      co_await say(client, what);
      auto heard = co_await hear(client);
      EXPECT_TRUE(heard.starts_with("HTTP/1.1 413 ")) << heard;
      EXPECT_TRUE(heard.ends_with("The body is longer than 10 bytes, and is not read: send less.\n")) << heard;
    });
  with_guest({.longest = 10, .requests = 1}, [&](tcp::socket& client) -> awaitable<void> {
    co_await say(client, "POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\nhello worl");
    EXPECT_TRUE((co_await hear(client)).ends_with("POST / hello worl"));
  });
}

TEST(Attend, GivesAClientItsAnswerBeforeItClosesWhatIsStillSent) {
  with_guest({.longest = 10}, [&](tcp::socket& client) -> awaitable<void> {
    co_await say(client, "POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + std::string(1'000'000, 'x'));
    auto heard = co_await hear(client);
    EXPECT_TRUE(heard.starts_with("HTTP/1.1 413 ")) << heard;
  });
}

TEST(Attend, WaitsNoLongerForAnAnswerThanForItsClient) {
  bool ended = false;
  auto never = [&](asked) -> awaitable<page> {
    asio::steady_timer timer(co_await asio::this_coro::executor, asio::steady_timer::time_point::max());
    boost::system::error_code why;
    co_await timer.async_wait(asio::redirect_error(use_awaitable, why));
    ended = why == asio::error::operation_aborted;
    co_return page{};
  };
  with_guest(
      {.patience = 100ms},
      [](tcp::socket& client) -> awaitable<void> {
        co_await say(client, "GET / HTTP/1.1\r\n\r\n");
        EXPECT_EQ(co_await hear(client), "");
      },
      never);
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace kopiur::http
