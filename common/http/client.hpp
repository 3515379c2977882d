#pragma once
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "common/time/clock.hpp"

/// One HTTP request at a time, http and https: for hooks and probes, not for bulk.
namespace kopiur::http {

struct request {
  std::string method = "GET";
  std::string url;  ///< `http://` or `https://`, without user and password
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
  duration timeout{30'000};  ///< for everything: name, connection, request, answer
  std::string ca_file;       ///< certificates to trust besides the system's; empty: none
};
struct response {
  int status = 0;
  std::string body;  ///< at most 64 KiB; what is longer fails
};

/// A URL in its parts; a sentence when it is none of ours.
struct address {
  bool tls = false;
  std::string host, port, target;
};
std::expected<address, std::string> parse_url(std::string_view url);
/// What the header Host says: an IPv6 address in brackets, and no port that goes without saying (RFC 9110, section 7.2).
std::string host_header(address const& where);
/// The URL as it may stand in a log: queries often hold tokens.
std::string without_query(std::string_view url);

/// Sends it; redirects are not followed. The error is a sentence with the URL (without query). Can be cancelled.
boost::asio::awaitable<std::expected<response, std::string>> send(clock& time, request what);

}  // namespace kopiur::http
