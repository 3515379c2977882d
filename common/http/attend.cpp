#include "common/http/attend.hpp"

#include <boost/asio.hpp>
#include <boost/beast/http/parser.hpp>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/http/wire.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
namespace beast = boost::beast;

namespace {

asked read_from(wire_request& in) {
  auto path = in.target().substr(0, in.target().find('?'));
  return {.method = in.method_string(), .path = path, .body = std::move(in.body())};
}

/// One client of the server.
class guest {
 public:
  guest(asio::ip::tcp::socket socket, answering by, manners manners)
      : wire_(std::move(socket), manners.tls), by_(std::move(by)), manners_(std::move(manners)) {}

  asio::awaitable<void> attend(clock& time) {
    co_await app::within(time, manners_.patience, wire_.shake_hands_as_server(), "no handshake");
    while (stays_) co_await app::within(time, manners_.patience, answer_one(), "no request");
  }

 private:
  asio::awaitable<void> answer_one() {
    beast::http::request_parser<beast::http::string_body> parser;
    parser.body_limit(manners_.longest);
    co_await read(wire_, buffer_, parser);
    stays_ = parser.get().keep_alive() && --manners_.requests > 0;
    auto said = co_await by_(read_from(parser.get()));
    wire_response out(static_cast<beast::http::status>(said.status), parser.get().version());
    out.set(beast::http::field::content_type, said.type);
    out.keep_alive(stays_);
    out.body() = std::move(said.body);
    co_await write(wire_, std::move(out));
  }

  wire wire_;
  answering by_;
  manners manners_;
  beast::flat_buffer buffer_;
  bool stays_ = true;
};

}  // namespace

asio::awaitable<void> attend(asio::ip::tcp::socket client, answering by, manners manners) {
  app::system_clock time(client.get_executor());
  guest one(std::move(client), std::move(by), std::move(manners));
  try {
    co_await one.attend(time);
  } catch (app::timed_out const&) {
  } catch (boost::system::system_error const& e) {
    if (e.code() == asio::error::operation_aborted) throw;
  }
}

}  // namespace kopiur::http
