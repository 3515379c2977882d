#pragma once
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/http/url.hpp"
#include "common/time/clock.hpp"

/// One HTTP or HTTPS request at a time, for hooks and probes, not for bulk transfers.
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
  duration timeout{30'000};  ///< total, for name lookup, connection, request and answer
  std::string ca_file;       ///< certificates to trust in addition to the system's; empty: none
  /// Connect only to these addresses, to the first that accepts; nothing: to the addresses of the URL's host. The Host header and the name
  /// in the certificate are always those of the URL.
  std::optional<std::vector<endpoint>> connect_to{};
};
struct response {
  int status = 0;
  std::string body;  ///< at most 64 KiB; a longer one is an error
};

/// The IP addresses of a host name, by the system's resolver; search domains do not apply to a name with a final dot. The error is a
/// sentence. Can be cancelled.
boost::asio::awaitable<std::expected<std::vector<std::string>, std::string>> resolve(std::string name);

/// Sends a request; does not follow redirects. The error is a sentence with the URL (without query). Can be cancelled.
boost::asio::awaitable<std::expected<response, std::string>> send(clock& time, request what);

}  // namespace kopiur::http
