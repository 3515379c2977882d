#pragma once
#include <optional>

#include "common/http/wire.hpp"

namespace kopiur::http {

/// What a client hears on a wire, by TLS, that has become a WebSocket. Throws what the wire throws.
class websocket {
 public:
  explicit websocket(wire& on);
  ~websocket();

  /// Asks for it, with the target and fields of `call`. The answer's status is 101 where it was granted.
  boost::asio::awaitable<wire_response> ask(wire_request call, std::string host);
  /// The next message, of at most `longest` bytes; nothing at its end, however that came: who closes need not say so.
  boost::asio::awaitable<std::optional<std::string>> message(std::size_t longest);

 private:
  struct inside;
  std::unique_ptr<inside> in_;
};

}  // namespace kopiur::http
