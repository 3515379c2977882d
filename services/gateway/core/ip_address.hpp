#pragma once
#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::gateway {

/// An IPv4 or IPv6 address. IPv4 is held as the IPv6 address that maps it, so both spellings of one address are equal.
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

/// As inet_pton reads it: no zone, no octal, no address of fewer than four numbers. Nothing where it is none.
std::optional<ip_address> parse_ip(std::string_view text);
/// `10.0.0.0/8`, `fd00::/8`, or one address. The sentence says what is wrong, such as bits that are set beyond the prefix.
std::expected<ip_range, std::string> parse_ip_range(std::string_view text);
std::string ip_text(ip_address const& address);

bool contains(ip_range const& range, ip_address const& address);
/// The IPv4 address that the well-known NAT64 prefix 64:ff9b::/96 leads to; any other address as it is.
ip_address behind_nat64(ip_address const& address);
/// An address of the internet: none of a private, local, shared, reserved or documentation range, no multicast, and no metadata service of
/// a cloud. Of an IPv6 address that leads to an IPv4 one, that one counts.
bool is_public(ip_address const& address);

}  // namespace kopiur::gateway
