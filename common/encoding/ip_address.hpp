#pragma once
#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::encoding {

/// An IPv4 or IPv6 address. IPv4 is stored as an IPv4-mapped IPv6 address, so both spellings of one address are equal.
struct ip_address {
  std::array<std::uint8_t, 16> bytes{};
  bool operator==(ip_address const&) const = default;
};
/// The addresses that share the first `bits` of 128 with `first`.
struct ip_range {
  ip_address first;
  int bits = 128;
  bool operator==(ip_range const&) const = default;
};

/// Parses as inet_pton does: no zone, no octal, no address of fewer than four numbers. Nothing when the text is not an address.
std::optional<ip_address> parse_ip(std::string_view text);
/// `10.0.0.0/8`, `fd00::/8`, or one address. The error sentence names the problem, such as bits that are set beyond the prefix.
std::expected<ip_range, std::string> parse_ip_range(std::string_view text);
std::string ip_text(ip_address const& address);

bool contains(ip_range const& range, ip_address const& address);
/// The IPv4 address behind the well-known NAT64 prefix 64:ff9b::/96; any other address unchanged.
ip_address behind_nat64(ip_address const& address);
/// An address of the internet: not in a private, local, shared, reserved or documentation range, no multicast, no metadata service of a
/// cloud. An IPv6 address that leads to an IPv4 address is judged by the IPv4 address.
bool is_public(ip_address const& address);

}  // namespace kopiur::encoding
