#include "common/http/websocket.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

namespace kopiur::http {

namespace asio = boost::asio;
namespace ws = boost::beast::websocket;
using asio::use_awaitable;
using boost::system::error_code;

struct websocket::inside {
  ws::stream<asio::ssl::stream<asio::ip::tcp::socket&>&> stream;
  boost::beast::flat_buffer buffer{};
};

websocket::websocket(wire& wire) : in_(new inside{.stream{wire.secure()}}) {}
websocket::~websocket() = default;

asio::awaitable<wire_response> websocket::ask(wire_request call, std::string host) {
  in_->stream.set_option(ws::stream_base::decorator([&](ws::request_type& out) {
    for (auto& each : call) out.set(each.name_string(), each.value());
  }));
  ws::response_type in;
  error_code failed;
  co_await in_->stream.async_handshake(in, host, call.target(), asio::redirect_error(use_awaitable, failed));
  if (failed && failed != ws::error::upgrade_declined) throw boost::system::system_error(failed);
  co_return in;
}

asio::awaitable<std::optional<std::string>> websocket::message(std::size_t longest) {
  in_->stream.read_message_max(longest);
  error_code failed;
  co_await in_->stream.async_read(in_->buffer, asio::redirect_error(use_awaitable, failed));
  if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
  if (failed) co_return std::nullopt;
  auto text = boost::beast::buffers_to_string(in_->buffer.data());
  in_->buffer.clear();
  co_return text;
}

}  // namespace kopiur::http
