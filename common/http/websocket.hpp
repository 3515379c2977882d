#pragma once
#include <optional>

#include "common/http/wire.hpp"

namespace kopiur::http {

/// The client side of a WebSocket over TLS, on a connected wire. Throws what the wire throws.
class websocket {
 public:
  explicit websocket(wire& wire);
  ~websocket();

  /// Requests the upgrade, with the target and fields of `call`. The answer's status is 101 when the server accepted.
  boost::asio::awaitable<wire_response> ask(wire_request call, std::string host);
  /// The next message, of at most `longest` bytes; nothing at the end, with or without a close frame.
  boost::asio::awaitable<std::optional<std::string>> message(std::size_t longest);

 private:
  struct inside;
  std::unique_ptr<inside> in_;
};

}  // namespace kopiur::http
