#pragma once
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/http/url.hpp"
#include "common/time/clock.hpp"

/// One HTTP request at a time, http and https: for hooks and probes, not for bulk.
namespace kopiur::http {

/// Where a server listens: an IP address without brackets, and a port.
struct endpoint {
  std::string ip, port;
};

struct request {
  std::string method = "GET";
  std::string url;  ///< `http://` or `https://`, without user and password
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  duration timeout{30'000};  ///< for everything: name, connection, request, answer
  std::string ca_file;       ///< certificates to trust besides the system's; empty: none
  /// Addresses to connect to, the first that answers, and no other; nothing: those of the URL's host. The header Host and the name in the
  /// certificate are those of the URL in any case.
  std::optional<std::vector<endpoint>> connect_to{};
};
struct response {
  int status = 0;
  std::string body;  ///< at most 64 KiB; what is longer fails
};

/// The IP addresses of a host name, by the system's resolver; search domains do not apply to a name with a final dot. A sentence where it
/// has none. Can be cancelled.
boost::asio::awaitable<std::expected<std::vector<std::string>, std::string>> resolve(std::string name);

/// Sends it; redirects are not followed. The error is a sentence with the URL (without query). Can be cancelled.
boost::asio::awaitable<std::expected<response, std::string>> send(clock& time, request what);

}  // namespace kopiur::http
