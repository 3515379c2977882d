#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/http/answer_head.hpp"
#include "common/http/client.hpp"
#include "common/http/progress.hpp"
#include "common/http/upload.hpp"

namespace boost::asio::ssl {
class context;
}

namespace kopiur::http {

/// A request on a connection.
struct wire_call {
  std::string method = "GET", target;  ///< target: path and query
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  std::uint64_t longest = 64 << 10;  ///< maximum length of the answer's body, in bytes; a longer one is an error
};
struct wire_answer {
  int status = 0;
  std::string body, retry_after;
};

/// Whether a call failed because the answer is longer than wire_call::longest.
bool is_too_long(std::exception const& failed);
/// The message of an exception for users; for a system error without the source location that Boost adds.
std::string words_of(std::exception const& failed);

/// One client connection, HTTP/1.1 with keep-alive: calls one after the other, and as the last one possibly a stream of lines or messages.
/// Every function throws what Asio throws; after that, and after a cancellation, the connection is unusable.
class connection {
 public:
  /// `tls`: empty for plain HTTP. `certificate_name`: the server's, if it differs from its host.
  connection(boost::asio::any_io_executor const& loop, std::shared_ptr<boost::asio::ssl::context> tls, address where,
             std::string certificate_name = {});
  ~connection();

  /// Connects to the first address that accepts: of its host, or of the given ones.
  boost::asio::awaitable<void> open();
  boost::asio::awaitable<void> open(std::vector<endpoint> addresses);
  boost::asio::awaitable<wire_answer> exchange(wire_call call);
  /// Whether another call can use it: false when the server has closed it, or has sent unrequested data.
  bool is_fresh();

  /// A call with both bodies in pieces: sends the header and `body` (not call.body), and reads the answer's header. An answer that comes
  /// before the body was sent ends the sending. `asks_first`: with `Expect: 100-continue`. Throws what body.read throws.
  boost::asio::awaitable<answer_head> start(wire_call call, upload& body, bool asks_first, progress& watched);
  /// At least one byte of the answer's body after start() or begin(); 0 at its end.
  boost::asio::awaitable<std::size_t> more(boost::asio::mutable_buffer buffer);
  /// How far start() came when it failed.
  attempt_trace trace() const;

  /// Sends, and reads the status. On 200, line() returns the lines; otherwise the answer holds the body.
  boost::asio::awaitable<wire_answer> begin(wire_call call);
  /// The next line after begin(); nothing at the end.
  boost::asio::awaitable<std::optional<std::string>> line();

  /// Sends over TLS. On status 101 the connection becomes a WebSocket of that protocol; otherwise the answer holds the body.
  boost::asio::awaitable<wire_answer> upgrade(wire_call call, std::string protocol);
  /// The next message after upgrade(); nothing at the end, with or without a close frame.
  boost::asio::awaitable<std::optional<std::string>> message();

 private:
  struct inside;
  std::unique_ptr<inside> in_;
};

}  // namespace kopiur::http
