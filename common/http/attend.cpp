#include "common/http/attend.hpp"

#include <boost/asio.hpp>
#include <boost/beast/http/parser.hpp>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/wire.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using boost::system::error_code;
using boost::system::system_error;

namespace {

using request_parser = beast::http::request_parser<beast::http::string_body>;
constexpr std::size_t read_at_once = 16 << 10;
constexpr duration last_look{1'000};  // how long a refused client may take to read why

asked read_from(wire_request& in) {
  auto path = in.target().substr(0, in.target().find('?'));
  return {.method = in.method_string(), .path = path, .body = std::move(in.body())};
}

/// One client of the server.
class guest {
 public:
  guest(asio::ip::tcp::socket socket, answering by, manners manners, client_list* among)
      : wire_(std::move(socket), manners.tls), by_(std::move(by)), manners_(std::move(manners)) {
    auto close = [this] {
      error_code already;
      wire_.socket().shutdown(asio::socket_base::shutdown_both, already);
    };
    if (among) place_ = among->admit(std::move(close));
    stays_ = !among || place_;
  }

  asio::awaitable<void> attend(clock& time) {
    if (stays_) co_await app::within(time, manners_.arrival, arrive(), "no request");
    while (stays_) {
      co_await app::within(time, manners_.patience, answer_one(time), "no answer in time");
      if (!stays_) co_return co_await app::within(time, last_look, until_closed(), "it stays");
      enter(client_stage::Resting);
      co_await app::within(time, manners_.idle, read_first(), "idle");
      enter(client_stage::Sending);
      co_await app::within(time, manners_.arrival, read_head(), "no header");
    }
  }

 private:
  void enter(client_stage stage) {
    if (place_) place_->enter(stage);
  }

  asio::awaitable<void> arrive() {
    co_await wire_.shake_hands_as_server();
    co_await read_head();
    enter(client_stage::Sending);
  }

  /// Of the next request, its first bytes.
  asio::awaitable<void> read_first() {
    if (buffer_.size() > 0) co_return;
    error_code failed;
    buffer_.commit(co_await wire_.read_some(buffer_.prepare(read_at_once), failed));
    if (failed) throw system_error(failed);
  }

  asio::awaitable<void> read_head() {
    too_long_ = false;
    parser_.emplace().body_limit(manners_.longest);
    return unless_too_long(read_header(wire_, buffer_, *parser_));
  }

  asio::awaitable<void> read_body() { return unless_too_long(read(wire_, buffer_, *parser_)); }

  /// A body that is too long is noticed with the header when its length is stated.
  asio::awaitable<void> unless_too_long(asio::awaitable<void> reading) {
    try {
      co_await std::move(reading);
    } catch (system_error const& e) {
      if (e.code() != beast::http::error::body_limit) throw;
      too_long_ = true;
    }
  }

  page too_long() const {
    return {413, "The body is longer than " + std::to_string(manners_.longest) + " bytes, and is not read: send less.\n"};
  }

  /// The body counts before it is read: with its stated length, or with the maximum.
  std::uint64_t expected() const { return parser_->chunked() ? manners_.longest : parser_->content_length().value_or(0); }

  asio::awaitable<std::optional<byte_budget::share>> room_for_body(clock& time) {
    if (!manners_.bytes) co_return byte_budget::share(nullptr, 0);
    co_return co_await manners_.bytes->take(expected(), time, manners_.room);
  }

  asio::awaitable<void> answer_one(clock& time) {
    if (too_long_) co_return co_await refuse(too_long());
    auto room = co_await room_for_body(time);
    if (!room)
      co_return co_await refuse({503, "Other requests of this size are in work: there is no memory for this one. Try again later.\n"});
    co_await read_body();
    if (too_long_) co_return co_await refuse(too_long());
    enter(client_stage::Answering);
    stays_ = parser_->get().keep_alive() && --manners_.requests > 0;
    co_await say(co_await by_(read_from(parser_->get())));
  }

  asio::awaitable<void> refuse(page why) {
    stays_ = false;
    return say(std::move(why));
  }

  asio::awaitable<void> say(page said) {
    wire_response out(static_cast<beast::http::status>(said.status), parser_->get().version());
    out.set(beast::http::field::content_type, said.type);
    out.keep_alive(stays_);
    out.body() = std::move(said.body);
    co_await write(wire_, std::move(out));
  }

  /// Discards what the client still sends: a connection that is closed before everything was read is reset, and the client would lose our
  /// answer.
  asio::awaitable<void> until_closed() {
    enter(client_stage::Resting);
    auto& socket = wire_.socket();
    socket.shutdown(asio::socket_base::shutdown_send);
    std::vector<char> unread(read_at_once);
    for (;;) co_await socket.async_read_some(asio::buffer(unread), asio::use_awaitable);
  }

  wire wire_;
  answering by_;
  manners manners_;
  std::unique_ptr<client_list::place> place_;
  beast::flat_buffer buffer_;
  std::optional<request_parser> parser_;
  bool stays_ = true, too_long_ = false;
};

}  // namespace

asio::awaitable<void> attend(asio::ip::tcp::socket client, answering by, manners manners) {
  return attend(std::move(client), std::move(by), std::move(manners), nullptr);
}

asio::awaitable<void> attend(asio::ip::tcp::socket client, answering by, manners manners, std::shared_ptr<client_list> among) {
  app::system_clock time(client.get_executor());
  guest one(std::move(client), std::move(by), std::move(manners), among.get());
  try {
    co_await one.attend(time);
  } catch (app::timed_out const&) {
  } catch (system_error const& e) {
    if (e.code() == asio::error::operation_aborted) throw;
  }
}

}  // namespace kopiur::http
