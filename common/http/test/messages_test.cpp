#include "common/http/messages.hpp"

#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <boost/beast/http/parser.hpp>
#include <deque>

namespace kopiur::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

/// Returns one piece for each read, through the loop, as a TLS stream does with buffered records. After the last piece, a read never ends.
class scripted_stream final : public byte_stream {
 public:
  scripted_stream(asio::io_context& loop, std::deque<std::string> pieces) : loop_(loop), silence_(loop), pieces_(std::move(pieces)) {
    silence_.expires_at(asio::steady_timer::time_point::max());
  }
  bool all_given() const { return pieces_.empty(); }

  asio::awaitable<std::size_t> read_some(asio::mutable_buffer target, boost::system::error_code& failed) override {
    if (pieces_.empty()) {
      co_await silence_.async_wait(asio::redirect_error(asio::use_awaitable, failed));
      co_return 0;
    }
    auto length = asio::buffer_copy(target, asio::buffer(pieces_.front()));
    pieces_.pop_front();
    co_await asio::post(loop_, asio::redirect_error(asio::use_awaitable, failed));
    co_return length;
  }
  asio::awaitable<void> write(std::span<asio::const_buffer const> parts) override {
    for (auto each : parts) written.append(static_cast<char const*>(each.data()), each.size());
    co_return;
  }
  std::string written;

 private:
  asio::io_context& loop_;
  asio::steady_timer silence_;
  std::deque<std::string> pieces_;
};

TEST(Read, AMessageInPiecesIsWhole) {
  asio::io_context loop;
  scripted_stream from(loop,
                       {"HTTP/1.1 200 OK\r\nTransfer-Enc", "oding: chunked\r\n\r\n5\r", "\nhel", "lo\r\n6\r\n world\r\n", "0\r\n\r\n"});
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  std::exception_ptr failed;
  asio::co_spawn(loop, read(from, buffer, parser), [&](std::exception_ptr why) { failed = why; });
  loop.run();
  EXPECT_FALSE(failed);
  EXPECT_EQ(parser.get().body(), "hello world");
}

/// A cancellation that comes just when the head of a chunk has arrived must end the read. Otherwise a watch goes on until the server ends.
TEST(Read, ACancellationBetweenTwoPiecesIsNotLost) {
  asio::io_context loop;
  scripted_stream from(loop, {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5"});
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  asio::cancellation_signal stop;
  bool ended = false;
  asio::co_spawn(loop, read(from, buffer, parser), asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr) { ended = true; }));
  while (!from.all_given()) loop.run_one();
  asio::post(loop, [&] { stop.emit(asio::cancellation_type::terminal); });  // the piece is in flight
  for (int n = 0; n < 100 && !ended; ++n) loop.poll_one();
  EXPECT_TRUE(ended) << "it waits for the rest of the chunk";
  stop.emit(asio::cancellation_type::terminal);
}

}  // namespace
}  // namespace kopiur::http
