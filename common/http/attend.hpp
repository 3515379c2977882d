#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <limits>
#include <memory>

#include "common/http/server.hpp"
#include "common/time/instant.hpp"

namespace boost::asio::ssl {
class context;
}

namespace kopiur::http {

/// What a client asks of a server.
struct asked {
  std::string method, path;  ///< path: without the query
  std::string body;
};
using answering = std::function<boost::asio::awaitable<page>(asked)>;

/// How one client is served.
struct manners {
  std::shared_ptr<boost::asio::ssl::context> tls{};  ///< empty: plain
  std::uint64_t longest = 1 << 20;                   ///< of a request's body, in bytes
  duration patience{30'000};                         ///< for the handshake, and for each request with its answer
  int requests = std::numeric_limits<int>::max();    ///< then the connection is closed
};

/// Serves one client, request after request, until it goes away, is too slow, says what is no HTTP, or has asked often enough: its own
/// business, and no error. Throws what `by` throws. Ends by cancellation.
boost::asio::awaitable<void> attend(boost::asio::ip::tcp::socket client, answering by, manners how);

}  // namespace kopiur::http
