#include "common/http/read.hpp"

#include <gtest/gtest.h>

#include <boost/beast/http.hpp>
#include <deque>

namespace kopiur::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

/// Hands out its pieces one a read, each by way of the loop, as a TLS stream does with records that it holds; then nothing comes any more.
class scripted_stream {
 public:
  scripted_stream(asio::io_context& loop, std::deque<std::string> pieces) : loop_(loop), silence_(loop), pieces_(std::move(pieces)) {
    silence_.expires_at(asio::steady_timer::time_point::max());
  }
  using executor_type = asio::io_context::executor_type;
  executor_type get_executor() { return loop_.get_executor(); }
  bool all_given() const { return pieces_.empty(); }

  template <class Buffers, class Token>
  auto async_read_some(Buffers const& to, Token&& token) {
    return asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this, to](auto handler) { this->give(to, std::move(handler)); }, token);
  }

 private:
  void give(auto const& to, auto handler) {
    if (pieces_.empty()) {
      auto slot = asio::get_associated_cancellation_slot(handler);
      auto ended = [handler = std::move(handler)](boost::system::error_code why) mutable { std::move(handler)(why, 0); };
      return silence_.async_wait(asio::bind_cancellation_slot(slot, std::move(ended)));
    }
    auto length = asio::buffer_copy(to, asio::buffer(pieces_.front()));
    pieces_.pop_front();
    auto arrive = [handler = std::move(handler), length]() mutable { std::move(handler)(boost::system::error_code(), length); };
    asio::post(loop_, [this, arrive = std::move(arrive)]() mutable { asio::post(loop_, std::move(arrive)); });
  }

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

/// Seen with a watch under load: the reader was told to end just when the head of a chunk had arrived, and went on until the server ended.
TEST(Read, ACancellationBetweenTwoPiecesIsNotLost) {
  asio::io_context loop;
  scripted_stream from(loop, {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5"});
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  asio::cancellation_signal stop;
  bool ended = false;
  asio::co_spawn(loop, read(from, buffer, parser), asio::bind_cancellation_slot(stop.slot(), [&](std::exception_ptr) { ended = true; }));
  while (!from.all_given()) loop.run_one();
  asio::post(loop, [&] { stop.emit(asio::cancellation_type::terminal); });  // the piece is on its way
  for (int n = 0; n < 100 && !ended; ++n) loop.poll_one();
  EXPECT_TRUE(ended) << "it waits for the rest of the chunk";
  stop.emit(asio::cancellation_type::terminal);
}

}  // namespace
}  // namespace kopiur::http
