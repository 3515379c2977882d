#pragma once
#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <functional>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/pool.hpp"
#include "common/testing/run.hpp"

/// A server whose answers a test writes by hand.
namespace kopiur::http::test {

namespace asio = boost::asio;
using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;

/// One client of the server.
class peer {
 public:
  explicit peer(tcp::socket socket) : socket_(std::move(socket)) {}

  /// The header of the next request; empty when the client has closed.
  awaitable<std::string> header() {
    boost::system::error_code ended;
    auto length = co_await asio::async_read_until(socket_, asio::dynamic_buffer(received_), "\r\n\r\n", told(ended));
    if (ended) co_return std::string();
    auto text = received_.substr(0, length);
    received_.erase(0, length);
    co_return text;
  }
  /// That many bytes of a body.
  awaitable<std::string> body(std::size_t length) {
    boost::system::error_code ended;
    if (received_.size() < length)
      co_await asio::async_read(socket_, asio::dynamic_buffer(received_), asio::transfer_exactly(length - received_.size()), told(ended));
    auto text = received_.substr(0, length);
    received_.erase(0, length);
    co_return text;
  }
  /// False when the client has closed.
  awaitable<bool> say(std::string text) {
    boost::system::error_code ended;
    co_await asio::async_write(socket_, asio::buffer(text), told(ended));
    co_return !ended;
  }
  /// Says and closes.
  awaitable<void> say_last(std::string text) {
    co_await say(std::move(text));
    socket_.close();
  }
  awaitable<void> until_closed() {
    char piece[4096];
    boost::system::error_code ended;
    while (!ended) co_await socket_.async_read_some(asio::buffer(piece), told(ended));
  }
  bool received_nothing() const { return received_.empty() && socket_.available() == 0; }

 private:
  static asio::redirect_error_t<asio::use_awaitable_t<>> told(boost::system::error_code& into) {
    return asio::redirect_error(use_awaitable, into);
  }
  tcp::socket socket_;
  std::string received_;
};

/// What a test visits.
struct place {
  clock& time;
  pool& connections;
  address where;
  int accepted = 0;
  streamed_request request(std::string method = "GET", upload body = {}) const {
    return {.method = std::move(method), .where = where, .body = std::move(body), .limits = {.idle = std::chrono::seconds(10)}};
  }
};

/// Gives each connection to `serve` with its number, from 1, while `visit` runs.
inline void with_server(std::function<awaitable<void>(peer&, int)> serve, std::function<awaitable<void>(place&)> visit,
                        pool::limits limits = {}) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
    pool connections(time, loop.get_executor(), limits);
    place here{time, connections, parse_url("http://127.0.0.1:" + std::to_string(door.local_endpoint().port()) + "/x?y").value()};
    app::nursery server(loop.get_executor());
    auto attend = [&](tcp::socket socket, int number) -> awaitable<void> {
      peer client(std::move(socket));
      co_await serve(client, number);
    };
    auto accept = [&]() -> awaitable<void> {
      for (;;) {
        auto socket = co_await door.async_accept(use_awaitable);
        server.spawn(attend(std::move(socket), ++here.accepted));
      }
    };
    server.spawn(accept());
    co_await visit(here);
    server.cancel();
    co_await server.join();
  });
}

inline std::string const nothing = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

/// A body that counts how often it was read and rewound.
struct counted {
  std::string text;
  std::size_t sent = 0;
  int reads = 0, rewinds = 0;
  static awaitable<std::size_t> next(counted& from, asio::mutable_buffer buffer) {
    ++from.reads;
    auto length = asio::buffer_copy(buffer, asio::buffer(from.text) + from.sent);
    from.sent += length;
    co_return length;
  }
  upload once() {
    return {.length = text.size(), .read = [this](asio::mutable_buffer buffer) { return next(*this, buffer); }};
  }
  upload again() {
    auto made = once();
    made.rewind = [this] { sent = 0, ++rewinds; };
    return made;
  }
};

/// Asks, and reads the whole answer; the error's text when there is none.
inline awaitable<std::string> text_of(place& here, streamed_request what) {
  auto answer = co_await here.connections.ask(std::move(what));
  if (!answer) co_return answer.error();
  auto text = co_await answer->text(64 << 20);
  co_return std::to_string(answer->head().status) + " " + (text ? *text : text.error());
}

inline awaitable<void> answer_each(peer& client, int) {
  while (!(co_await client.header()).empty()) co_await client.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Own: a b\r\n\r\nok");
}

}  // namespace kopiur::http::test
