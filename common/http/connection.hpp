#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/http/client.hpp"

namespace boost::asio::ssl {
class context;
}

namespace kopiur::http {

/// What goes over a connection.
struct wire_call {
  std::string method = "GET", target;  ///< target: path and query
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::uint64_t longest = 64 << 10;  ///< of the answer's body, in bytes; what is longer fails
};
struct wire_answer {
  int status = 0;
  std::string body, retry_after;
};

/// Whether a call failed because the answer is longer than wire_call::longest.
bool is_too_long(std::exception const& failed);

/// One connection of a client, HTTP/1.1 with keep-alive: calls one after the other, or one stream of lines, or of messages, at the end.
/// Everything throws what Asio throws; after that, and after a cancellation, the connection is of no more use.
class connection {
 public:
  /// `tls`: empty where it is plain. `certificate_name`: of the server, where that is not its host.
  connection(boost::asio::any_io_executor const& loop, std::shared_ptr<boost::asio::ssl::context> tls, address where,
             std::string certificate_name = {});
  ~connection();

  /// Connects to the first address of its host that answers, or of those that are given.
  boost::asio::awaitable<void> open();
  boost::asio::awaitable<void> open(std::vector<endpoint> addresses);
  boost::asio::awaitable<wire_answer> exchange(wire_call call);
  /// May another call go over it? Not when the server has closed it, or has said something that nobody asked for.
  bool is_fresh();

  /// Sends, and reads the status. When it is 200, lines follow; else the answer's body is in the answer.
  boost::asio::awaitable<wire_answer> begin(wire_call call);
  /// The next line of what begin() began; nothing at its end.
  boost::asio::awaitable<std::optional<std::string>> line();

  /// Sends, by TLS, and becomes a WebSocket of that protocol where the status is 101; else the answer's body is in the answer.
  boost::asio::awaitable<wire_answer> upgrade(wire_call call, std::string protocol);
  /// The next message of what upgrade() began; nothing at its end, however that came: who closes need not say so.
  boost::asio::awaitable<std::optional<std::string>> message();

 private:
  struct inside;
  std::unique_ptr<inside> in_;
};

}  // namespace kopiur::http
