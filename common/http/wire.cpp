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

wire::wire(tcp::socket peer, std::shared_ptr<asio::ssl::context> tls) : layers_(new layers{std::move(tls), std::move(peer)}) {
  if (layers_->tls) layers_->secure.emplace(layers_->socket, *layers_->tls);
}
wire::~wire() = default;

asio::awaitable<void> wire::shake_hands_as_client(std::string name) {
  if (!layers_->secure) co_return;
  SSL_set_tlsext_host_name(layers_->secure->native_handle(), name.c_str());
  layers_->secure->set_verify_callback(asio::ssl::host_name_verification(name));
  co_await layers_->secure->async_handshake(asio::ssl::stream_base::client, use_awaitable);
}

asio::awaitable<void> wire::shake_hands_as_server() {
  if (layers_->secure) co_await layers_->secure->async_handshake(asio::ssl::stream_base::server, use_awaitable);
}

asio::awaitable<std::size_t> wire::read_some(asio::mutable_buffer buffer, boost::system::error_code& failed) {
  auto told = asio::redirect_error(use_awaitable, failed);
  if (layers_->secure) co_return co_await layers_->secure->async_read_some(buffer, told);
  co_return co_await layers_->socket.async_read_some(buffer, told);
}

asio::awaitable<void> wire::write(std::span<asio::const_buffer const> parts) {
  if (layers_->secure)
    co_await asio::async_write(*layers_->secure, parts, use_awaitable);
  else
    co_await asio::async_write(layers_->socket, parts, use_awaitable);
}

tcp::socket& wire::socket() { return layers_->socket; }
asio::ssl::stream<tcp::socket&>& wire::secure() { return *layers_->secure; }

}  // namespace kopiur::http
