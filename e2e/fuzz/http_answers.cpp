#include <boost/asio.hpp>
#include <boost/beast/http/parser.hpp>

#include "common/http/messages.hpp"
#include "common/kubernetes/error.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

/// A stream that returns one piece per read, and then ends.
class pieces_stream final : public http::byte_stream {
 public:
  pieces_stream(asio::io_context& loop, std::vector<std::string_view> all) : loop_(loop), pieces_(std::move(all)) {}

  asio::awaitable<std::size_t> read_some(asio::mutable_buffer buffer, boost::system::error_code& failed) override {
    co_await asio::post(loop_, asio::use_awaitable);
    if (next_ == pieces_.size()) {
      failed = asio::error::eof;
      co_return 0;
    }
    auto& piece = pieces_[next_++];
    co_return asio::buffer_copy(buffer, asio::buffer(piece.data(), piece.size()));
  }
  asio::awaitable<void> write(std::span<asio::const_buffer const>) override { co_return; }

 private:
  asio::io_context& loop_;
  std::vector<std::string_view> pieces_;
  std::size_t next_ = 0;
};

struct answer {
  std::string failed;  ///< why it could not be read
  int status = 0;
  std::string retry_after, body;
  bool operator==(answer const&) const = default;
};

answer read_answer(std::string_view input, std::size_t at_a_time) {
  asio::io_context loop;
  pieces_stream from(loop, pieces(input, at_a_time));
  beast::flat_buffer buffer;
  beast::http::response_parser<beast::http::string_body> parser;
  parser.body_limit(4096);
  answer out;
  asio::co_spawn(loop, http::read(from, buffer, parser), [&](std::exception_ptr why) {
    try {
      if (why) std::rethrow_exception(why);
      out.status = static_cast<int>(parser.get().result_int());
      out.retry_after = parser.get()[beast::http::field::retry_after];
      out.body = parser.get().body();
    } catch (boost::system::system_error const& e) {
      out.failed = e.code().message();  // any other exception ends the process
    }
  });
  loop.run();
  return out;
}

}  // namespace

/// An HTTP answer, as a server sends it.
void look(std::string_view input) {
  constexpr std::size_t one_read = 8 << 10;
  auto whole = read_answer(input, one_read);
  if (input.size() <= 4096) {
    auto cut = read_answer(input, 5);
    require(cut.failed.empty() == whole.failed.empty(), "an answer is read or refused, however the bytes arrive");
    require(!whole.failed.empty() || cut == whole, "an answer is the same, however the bytes arrive");
  }
  if (!whole.failed.empty()) return;
  auto error = kubernetes::read_error(whole.status, whole.retry_after, whole.body, "GET /x");
  require(error.message.ends_with('.'), "an error is a sentence");
  require(error.retry_after >= duration(0) && error.retry_after <= std::chrono::hours(1), "a pause is bounded");
}

}  // namespace kopiur::fuzz
