#pragma once
#include <expected>
#include <string>
#include <string_view>

namespace kopiur::http {

/// The parts of a URL.
struct address {
  bool tls = false;
  std::string host;  ///< a name, or an IP address without brackets
  std::string port, target;
};
/// Parses `http://` and `https://` only, without user and password, which belong in a header from a Secret. The error is a sentence that
/// contains neither them nor the query.
std::expected<address, std::string> parse_url(std::string_view url);
/// The value of the Host header: an IPv6 address in brackets, and no default port (RFC 9110, section 7.2).
std::string host_header(address const& where);
/// The URL in a form that is safe to log: queries often contain tokens.
std::string without_query(std::string_view url);

}  // namespace kopiur::http
