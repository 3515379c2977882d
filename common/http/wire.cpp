#include "common/http/wire.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>

namespace kopiur::http {

namespace asio = boost::asio;
using asio::use_awaitable;
using asio::ip::tcp;

struct wire::layers {
  std::shared_ptr<asio::ssl::context> tls;
  tcp::socket socket;
  std::optional<asio::ssl::stream<tcp::socket&>> secure{};
};

wire::wire(tcp::socket on, std::shared_ptr<asio::ssl::context> tls) : on_(new layers{std::move(tls), std::move(on)}) {
  if (on_->tls) on_->secure.emplace(on_->socket, *on_->tls);
}
wire::~wire() = default;

asio::awaitable<void> wire::shake_hands_as_client(std::string name) {
  if (!on_->secure) co_return;
  SSL_set_tlsext_host_name(on_->secure->native_handle(), name.c_str());
  on_->secure->set_verify_callback(asio::ssl::host_name_verification(name));
  co_await on_->secure->async_handshake(asio::ssl::stream_base::client, use_awaitable);
}

asio::awaitable<void> wire::shake_hands_as_server() {
  if (on_->secure) co_await on_->secure->async_handshake(asio::ssl::stream_base::server, use_awaitable);
}

asio::awaitable<std::size_t> wire::read_some(asio::mutable_buffer to, boost::system::error_code& failed) {
  auto told = asio::redirect_error(use_awaitable, failed);
  if (on_->secure) co_return co_await on_->secure->async_read_some(to, told);
  co_return co_await on_->socket.async_read_some(to, told);
}

asio::awaitable<void> wire::write(std::span<asio::const_buffer const> parts) {
  if (on_->secure)
    co_await asio::async_write(*on_->secure, parts, use_awaitable);
  else
    co_await asio::async_write(on_->socket, parts, use_awaitable);
}

tcp::socket& wire::socket() { return on_->socket; }
asio::ssl::stream<tcp::socket&>& wire::secure() { return *on_->secure; }

}  // namespace kopiur::http
