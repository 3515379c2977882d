#include "services/mover/test/real/front.hpp"

#include <atomic>
#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <mutex>
#include <optional>
#include <thread>

#include "common/app/async.hpp"
#include "services/mover/test/real/server.hpp"

namespace kopiur::mover::test {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

/// Serves the requests of a connection in order; the backing server or the proxy itself answers each.
class front::state {
 public:
  state(int port, int behind)
      : behind_(asio::ip::address_v4(own_address()), static_cast<std::uint16_t>(behind)),
        door_(loop_, {asio::ip::address_v4(own_address()), static_cast<std::uint16_t>(port)}) {
    clients_.spawn(accept());
    thread_ = std::jthread([this] { loop_.run(); });
  }
  ~state() {
    asio::post(loop_, [this] { clients_.cancel(); });
    thread_.join();  // the loop ends with the last coroutine
  }

  void turn(std::optional<std::string> path, answer answer) {
    std::scoped_lock lock(mutex_);
    location_ = std::move(path), answer_ = std::move(answer), turned_ = !location_;
  }
  bool turned() const { return turned_; }
  void slow(std::string text, std::chrono::milliseconds wait) {
    std::scoped_lock lock(mutex_);
    slow_ = std::move(text), wait_ = wait;
  }

 private:
  using request = http::request<http::string_body>;

  asio::awaitable<void> accept() {
    for (;;) clients_.spawn(serve(co_await door_.async_accept(asio::use_awaitable)));
  }

  asio::awaitable<void> serve(tcp::socket client) {
    try {
      boost::beast::flat_buffer held, held_behind;
      tcp::socket server(loop_);
      for (;;) {
        http::request_parser<http::string_body> parser;
        parser.body_limit(boost::none);
        co_await http::async_read_header(client, held, parser, asio::use_awaitable);
        if (boost::beast::iequals(parser.get()[http::field::expect], "100-continue"))
          co_await asio::async_write(client, asio::buffer(std::string_view("HTTP/1.1 100 Continue\r\n\r\n")), asio::use_awaitable);
        co_await http::async_read(client, held, parser, asio::use_awaitable);
        auto asked = parser.release();
        asked.erase(http::field::expect);
        asio::steady_timer pause(loop_, wait_of(asked));
        co_await pause.async_wait(asio::use_awaitable);
        if (auto own = own_answer(asked)) {
          if (own->status == 0) co_return;
          auto said = response(asked, *own);
          co_await http::async_write(client, said, asio::use_awaitable);
          continue;
        }
        if (!server.is_open()) co_await server.async_connect(behind_, asio::use_awaitable);
        co_await http::async_write(server, asked, asio::use_awaitable);
        http::response_parser<http::string_body> answered;
        answered.body_limit(boost::none);
        if (asked.method() == http::verb::head) answered.skip(true);
        co_await http::async_read(server, held_behind, answered, asio::use_awaitable);
        auto passed = answered.release();
        http::response_serializer<http::string_body> out(passed);
        if (asked.method() == http::verb::head)
          co_await http::async_write_header(client, out, asio::use_awaitable);
        else
          co_await http::async_write(client, out, asio::use_awaitable);
        if (!passed.keep_alive()) co_return;
      }
    } catch (boost::system::system_error const&) {
      // The client or the server closed the connection.
    }
  }

  static std::string line_of(request const& asked) { return std::string(asked.method_string()) + " " + std::string(asked.target()); }

  std::chrono::milliseconds wait_of(request const& asked) {
    std::scoped_lock lock(mutex_);
    return !slow_.empty() && line_of(asked).contains(slow_) ? wait_ : std::chrono::milliseconds(0);
  }

  std::optional<answer> own_answer(request const& asked) {
    auto line = line_of(asked);
    std::scoped_lock lock(mutex_);
    if (location_ && line.contains(*location_)) turned_ = true, location_.reset();
    return turned_ && line.contains(answer_.only) ? std::optional(answer_) : std::nullopt;
  }

  static http::response<http::string_body> response(request const& asked, answer const& own) {
    http::response<http::string_body> out{static_cast<http::status>(own.status), 11};
    out.set(http::field::content_type, "application/xml");
    if (asked.method() != http::verb::head)
      out.body() =
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>" + own.code + "</Code><Message>" + own.code + "</Message></Error>";
    out.prepare_payload();
    return out;
  }

  asio::io_context loop_;
  app::nursery clients_{loop_.get_executor()};
  tcp::endpoint behind_;
  tcp::acceptor door_;
  std::mutex mutex_;
  std::optional<std::string> location_;
  answer answer_;
  std::string slow_;
  std::chrono::milliseconds wait_{};
  std::atomic<bool> turned_ = false;
  std::jthread thread_;
};

front::front(int port, int behind) : state_(std::make_unique<state>(port, behind)) {}
front::~front() = default;
void front::turn(answer answer) { state_->turn(std::nullopt, std::move(answer)); }
void front::turn_at(std::string text, answer answer) { state_->turn(std::move(text), std::move(answer)); }
void front::slow(std::string text, std::chrono::milliseconds wait) { state_->slow(std::move(text), wait); }
bool front::turned() const { return state_->turned(); }

}  // namespace kopiur::mover::test
