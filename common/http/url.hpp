#pragma once
#include <expected>
#include <string>
#include <string_view>

namespace kopiur::http {

/// A URL in its parts.
struct address {
  bool tls = false;
  std::string host;  ///< a name, or an IP address without brackets
  std::string port, target;
};
/// Of `http://` and `https://` alone, without user and password, which belong into a header from a Secret. The error is a sentence that
/// holds neither them nor the query.
std::expected<address, std::string> parse_url(std::string_view url);
/// What the header Host says: an IPv6 address in brackets, and no port that goes without saying (RFC 9110, section 7.2).
std::string host_header(address const& where);
/// The URL as it may stand in a log: queries often hold tokens.
std::string without_query(std::string_view url);

}  // namespace kopiur::http
