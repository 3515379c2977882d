#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>

#include "common/http/messages.hpp"

namespace boost::asio::ssl {
class context;
template <typename Stream>
class stream;
}  // namespace boost::asio::ssl

namespace kopiur::http {

/// One TCP connection, plain or with TLS: only here are Asio's TLS streams compiled. Throws boost::system::system_error; after that, and
/// after a cancellation, it is unusable.
class wire final : public byte_stream {
 public:
  /// `tls`: empty for a plain connection.
  wire(boost::asio::ip::tcp::socket socket, std::shared_ptr<boost::asio::ssl::context> tls);
  ~wire() override;

  /// Call first; does the TLS handshake, or nothing on a plain connection. A client accepts only a certificate of `name`.
  boost::asio::awaitable<void> shake_hands_as_client(std::string name);
  boost::asio::awaitable<void> shake_hands_as_server();

  boost::asio::awaitable<std::size_t> read_some(boost::asio::mutable_buffer buffer, boost::system::error_code& failed) override;
  boost::asio::awaitable<void> write(std::span<boost::asio::const_buffer const> parts) override;

  boost::asio::ip::tcp::socket& socket();
  /// Only with TLS.
  boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>& secure();

 private:
  struct layers;
  std::unique_ptr<layers> layers_;
};

}  // namespace kopiur::http
