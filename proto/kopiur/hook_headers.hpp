#pragma once
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace kopiur::proto {

/// Headers that name the host, frame the message or belong to one connection (RFC 9110, section 7.6.1). The HTTP client writes them, so a
/// hook must not. The same applies to all headers that start with `proxy-`.
inline constexpr std::array<std::string_view, 8> connection_headers{"connection", "content-length",    "host",   "keep-alive", "te",
                                                                    "trailer",    "transfer-encoding", "upgrade"};

/// Lower-case form of a header or host name.
inline std::string lower_case(std::string_view name) {
  std::string out(name);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// Whether this header name, in any case, is one of connection_headers or starts with `proxy-`.
inline bool is_connection_header(std::string_view name) {
  auto lower = lower_case(name);
  return lower.starts_with("proxy-") || std::ranges::find(connection_headers, lower) != connection_headers.end();
}

}  // namespace kopiur::proto
