#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <limits>
#include <memory>

#include "common/http/byte_budget.hpp"
#include "common/http/client_list.hpp"
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
  duration arrival{10'000};                          ///< time limit of the handshake with the first header, and of each further header
  duration idle{120'000};                            ///< between requests: longer than clients keep a connection (Go: 90 s)
  duration patience{30'000};                         ///< time limit of a request's body and its answer
  duration room{3'000};                              ///< how long a request waits for its share of `bytes`
  int requests = std::numeric_limits<int>::max();    ///< after that many the connection is closed
  std::shared_ptr<byte_budget> bytes{};              ///< of the bodies of all clients; empty: unlimited
};

/// Serves one client, request after request, until it disconnects, is too slow, sends invalid HTTP, or has sent `requests` requests. None
/// of these is an error. A body that is too long is answered with 413, one without room with 503, each with a sentence. Throws what `by`
/// throws. Ends by cancellation, and early when its place in `among` is needed for another client.
boost::asio::awaitable<void> attend(boost::asio::ip::tcp::socket client, answering by, manners manners);
boost::asio::awaitable<void> attend(boost::asio::ip::tcp::socket client, answering by, manners manners, std::shared_ptr<client_list> among);

}  // namespace kopiur::http
