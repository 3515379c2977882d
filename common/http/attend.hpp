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

/// A client's request.
struct asked {
  std::string method, path;  ///< path: without the query
  std::string body;
};
using answering = std::function<boost::asio::awaitable<page>(asked)>;

/// Limits for one client.
struct manners {
  std::shared_ptr<boost::asio::ssl::context> tls{};  ///< empty: plain HTTP
  std::uint64_t longest = 1 << 20;                   ///< maximum length of a request's body, in bytes
  duration patience{30'000};                         ///< time limit of the handshake, and of each request with its answer
  int requests = std::numeric_limits<int>::max();    ///< after that many the connection is closed
};

/// Serves one client, request after request, until it disconnects, is too slow, sends invalid HTTP, or has sent `requests` requests. None
/// of these is an error. Throws what `by` throws. Ends by cancellation.
boost::asio::awaitable<void> attend(boost::asio::ip::tcp::socket client, answering by, manners manners);

}  // namespace kopiur::http
