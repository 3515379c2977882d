#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/http/client.hpp"
#include "services/gateway/adapters/kubernetes/access.hpp"

namespace boost::asio::ssl {
class context;
}

namespace kopiur::gateway::kubernetes {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

/// What goes over the wire.
struct wire_call {
  std::string method = "GET", target;  ///< target: path and query
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};
struct wire_answer {
  int status = 0;
  std::string body, retry_after;
};

/// Whom we trust and who we are, for all connections; throws std::runtime_error with a sentence when a certificate or key is none.
std::shared_ptr<asio::ssl::context> tls_of(access const& who);

/// One TLS connection, HTTP/1.1 with keep-alive: calls one after the other, or one stream of lines, or of messages, at the end. Everything
/// throws what Asio throws; after that, and after a cancellation, the connection is of no more use.
class connection {
 public:
  connection(asio::any_io_executor const& loop, std::shared_ptr<asio::ssl::context> tls, http::address where, std::string certificate_name);
  ~connection();

  awaitable<void> open();
  awaitable<wire_answer> exchange(wire_call call);
  /// May another call go over it? Not when the server has closed it, or has said something that nobody asked for.
  bool is_fresh();

  /// Sends, and reads the status. When it is 200, lines follow; else the answer's body is in the answer.
  awaitable<wire_answer> begin(wire_call call);
  /// The next line of what begin() began; nothing at its end.
  awaitable<std::optional<std::string>> line();

  /// Sends, and becomes a WebSocket of that protocol where the status is 101; else the answer's body is in the answer.
  awaitable<wire_answer> upgrade(wire_call call, std::string protocol);
  /// The next message of what upgrade() began; nothing at its end, however that came: who closes need not say so.
  awaitable<std::optional<std::string>> message();

 private:
  struct wires;
  std::unique_ptr<wires> on_;
};

}  // namespace kopiur::gateway::kubernetes
