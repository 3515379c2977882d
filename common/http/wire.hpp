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

/// One TCP connection, plain or by TLS: the one place that has Asio's TLS streams compiled. Throws boost::system::system_error; after that,
/// and after a cancellation, it is of no more use.
class wire final : public byte_stream {
 public:
  /// `tls`: empty where it is plain.
  wire(boost::asio::ip::tcp::socket on, std::shared_ptr<boost::asio::ssl::context> tls);
  ~wire() override;

  /// What comes first on it, where it is by TLS; else nothing. A client takes no other certificate than one of `name`.
  boost::asio::awaitable<void> shake_hands_as_client(std::string name);
  boost::asio::awaitable<void> shake_hands_as_server();

  boost::asio::awaitable<std::size_t> read_some(boost::asio::mutable_buffer to, boost::system::error_code& failed) override;
  boost::asio::awaitable<void> write(std::span<boost::asio::const_buffer const> parts) override;

  boost::asio::ip::tcp::socket& socket();
  /// Only where it is by TLS.
  boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>& secure();

 private:
  struct layers;
  std::unique_ptr<layers> on_;
};

}  // namespace kopiur::http
