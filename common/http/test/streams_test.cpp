#include "common/http/test/scripted_server.hpp"

namespace kopiur::http::test {
namespace {

using namespace std::chrono_literals;

TEST(Streams, StreamsBothWays) {
  std::string sent(3'000'017, 'a'), heard;
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<char>(i * 7);
  with_server(
      [&](peer& client, int) -> awaitable<void> {
        heard = co_await client.header();
        auto body = co_await client.body(sent.size());
        co_await client.say("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
        co_await client.until_closed();
      },
      [&](place& here) -> awaitable<void> {
        EXPECT_TRUE(co_await text_of(here, here.request("PUT", text_upload(sent))) == "200 " + sent);
      });
  EXPECT_TRUE(heard.starts_with("PUT /x?y HTTP/1.1\r\n")) << heard;
  EXPECT_TRUE(heard.contains("Content-Length: 3000017\r\n")) << heard;
}

TEST(Streams, GivesTheHeadersOfAnAnswer) {
  with_server(answer_each, [&](place& here) -> awaitable<void> {
    auto answer = co_await here.connections.ask(here.request());
    EXPECT_EQ(answer.value().head()["x-own"], "a b");
    EXPECT_EQ(answer->head()["x-other"], "");
  });
}

TEST(Streams, ReadsNoBodyOfAnAnswerToHead) {
  with_server(
      [](peer& client, int) -> awaitable<void> {
        while (!(co_await client.header()).empty()) co_await client.say("HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n");
      },
      [](place& here) -> awaitable<void> {
        EXPECT_EQ(co_await text_of(here, here.request("HEAD")), "404 ");
        EXPECT_EQ(co_await text_of(here, here.request("HEAD")), "404 ");
        EXPECT_EQ(here.accepted, 1);
      });
}

TEST(Expect, TheBodyIsSentOnceItIsPermitted) {
  counted body{.text = "hello"};
  with_server(
      [&](peer& client, int) -> awaitable<void> {
        auto header = co_await client.header();
        EXPECT_TRUE(header.contains("Expect: 100-continue\r\n")) << header;
        EXPECT_EQ(body.reads, 0);
        co_await client.say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n");
        EXPECT_EQ(co_await client.body(5), "hello");
        co_await client.say(nothing);
        co_await client.until_closed();
      },
      [&](place& here) -> awaitable<void> {
        auto what = here.request("PUT", body.once());
        what.asks_first = true, what.limits.permission = 10s;
        EXPECT_EQ(co_await text_of(here, std::move(what)), "200 ");
        EXPECT_EQ(here.connections.idle(), 1U);
      });
}

TEST(Expect, ARefusalComesBeforeTheBodyIsTouched) {
  counted body{.text = "hello"};
  with_server(
      [&](peer& client, int) -> awaitable<void> {
        co_await client.header();
        co_await client.say("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
        co_await client.until_closed();
        EXPECT_TRUE(client.received_nothing());
      },
      [&](place& here) -> awaitable<void> {
        auto what = here.request("PUT", body.once());
        what.asks_first = true, what.limits.permission = 10s;
        EXPECT_EQ(co_await text_of(here, std::move(what)), "403 no");
        EXPECT_EQ(body.reads, 0);
        EXPECT_EQ(here.connections.idle(), 0U) << "the server may still wait for the body";
      });
}

TEST(Expect, ARefusalOfTheBodyIsTheLastOnItsConnection) {
  for (std::string status : {"200", "412"}) {
    auto serve = [&](peer& client, int) -> awaitable<void> {
      while (!(co_await client.header()).empty()) {
        co_await client.say("HTTP/1.1 100 Continue\r\n\r\n");
        EXPECT_EQ(co_await client.body(5), "hello");
        co_await client.say("HTTP/1.1 " + status + " X\r\nContent-Length: 0\r\n\r\n");
      }
    };
    with_server(serve, [&](place& here) -> awaitable<void> {
      for (int i = 0; i < 2; ++i) {
        auto what = here.request("PUT", text_upload("hello"));
        what.asks_first = true;
        EXPECT_TRUE((co_await text_of(here, what)).starts_with(status));
      }
      EXPECT_EQ(here.accepted, status == "200" ? 1 : 2) << "a server may not have read it to its end";
    });
  }
}

TEST(Expect, AServerThatIgnoresItIsSentTheBody) {
  with_server(
      [&](peer& client, int) -> awaitable<void> {
        co_await client.header();
        EXPECT_EQ(co_await client.body(5), "hello");
        co_await client.say(nothing);
      },
      [&](place& here) -> awaitable<void> {
        auto what = here.request("PUT", text_upload("hello"));
        what.asks_first = true, what.limits.permission = 5ms;
        EXPECT_EQ(co_await text_of(here, std::move(what)), "200 ");
      });
}

TEST(Streams, AnAnswerBeforeTheEndOfTheBodyEndsTheSending) {
  for (bool closes : {false, true})
    with_server(
        [&](peer& client, int) -> awaitable<void> {
          co_await client.header();
          co_await client.say("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
          if (!closes) co_await client.until_closed();
        },
        [&](place& here) -> awaitable<void> {
          auto what = here.request("PUT", text_upload(std::string(64 << 20, 'x')));
          auto text = co_await text_of(here, std::move(what));
          EXPECT_TRUE(text == "413 " || closes) << text;  // a reset may overtake the answer
          EXPECT_EQ(here.connections.idle(), 0U);
        });
}

TEST(Streams, ASlowReaderSlowsTheServer) {
  constexpr std::size_t all = 96 << 20;
  std::size_t said = 0;
  with_server(
      [&](peer& client, int) -> awaitable<void> {
        co_await client.header();
        std::string const piece(1 << 20, 'x');
        co_await client.say("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(all) + "\r\n\r\n");
        while (said < all && co_await client.say(piece)) said += piece.size();
      },
      [&](place& here) -> awaitable<void> {
        auto answer = co_await here.connections.ask(here.request());
        std::string buffer(1 << 20, 0);
        std::size_t read = 0;
        for (std::size_t length; (length = (co_await answer.value().read(asio::buffer(buffer))).value()) > 0; read += length)
          EXPECT_LE(said, read + (32 << 20)) << "only the sockets hold what is not read";
        EXPECT_EQ(read, all);
      });
}

TEST(Streams, PassesOnWhatTheBodyThrows) {
  with_server([](peer& client, int) -> awaitable<void> { co_await client.until_closed(); },
              [](place& here) -> awaitable<void> {
                for (bool is_short : {false, true}) {
                  auto fail = [is_short](asio::mutable_buffer) -> awaitable<std::size_t> {
                    if (!is_short) throw std::runtime_error("the disk is gone");
                    co_return 0;
                  };
                  std::string why;
                  try {
                    co_await here.connections.ask(here.request("PUT", {.length = 5, .read = fail}));
                  } catch (std::runtime_error const& failed) {
                    why = failed.what();
                  }
                  EXPECT_EQ(why, is_short ? "The body of the request is shorter than its length says." : "the disk is gone");
                }
              });
}

}  // namespace
}  // namespace kopiur::http::test
