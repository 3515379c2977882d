#include "common/encoding/ip_address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <vector>

#include "common/encoding/number.hpp"

namespace kopiur::encoding {

namespace {

constexpr int mapped_bits = 96;
constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

/// The IANA special-purpose registries, and addresses that clouds reserve.
constexpr char const* not_public[] = {
    "0.0.0.0/8",         // this network
    "10.0.0.0/8",        // private
    "100.64.0.0/10",     // carrier-grade NAT; a cloud's metadata service
    "127.0.0.0/8",       // loopback
    "168.63.129.16/32",  // Azure's metadata and agent service
    "169.254.0.0/16",    // link-local; metadata services
    "172.16.0.0/12",     // private
    "192.0.0.0/24",      // protocol assignments; a cloud's metadata service
    "192.0.2.0/24",      // documentation
    "192.88.99.0/24",    // 6to4 relays
    "192.168.0.0/16",    // private
    "198.18.0.0/15",     // benchmarks
    "198.51.100.0/24",   // documentation
    "203.0.113.0/24",    // documentation
    "224.0.0.0/4",       // multicast
    "240.0.0.0/4",       // reserved; broadcast
    "2001::/23",         // protocol assignments: Teredo, benchmarks, ORCHID
    "2001:db8::/32",     // documentation
    "2002::/16",         // 6to4: leads to any IPv4 address
    "3fff::/20",         // documentation
};
/// All other IPv6 addresses are local, multicast or reserved.
constexpr char const* global_unicast = "2000::/3";

bool is_ipv4(ip_address const& address) { return std::equal(mapped.begin(), mapped.end(), address.bytes.begin()); }

ip_address ipv4(std::uint8_t const* four) {
  ip_address out;
  std::copy(mapped.begin(), mapped.end(), out.bytes.begin());
  std::copy_n(four, 4, out.bytes.begin() + mapped.size());
  return out;
}

std::vector<ip_range> ranges_not_public() {
  std::vector<ip_range> out;
  for (auto* each : not_public) out.push_back(parse_ip_range(each).value());
  return out;
}

/// The address with all bits after the first `bits` cleared.
ip_address masked(ip_address address, int bits) {
  for (int i = 0; i < 16; ++i) {
    int kept = std::clamp(bits - 8 * i, 0, 8);
    address.bytes[static_cast<std::size_t>(i)] &= static_cast<std::uint8_t>(0xFF << (8 - kept));
  }
  return address;
}

std::optional<int> prefix_length(std::string_view text, int most) {
  auto bits = encoding::whole_number<int>(text);
  return bits && text.size() <= 3 && *bits >= 0 && *bits <= most ? bits : std::nullopt;
}

std::string text_of(ip_range const& range) {
  auto bits = is_ipv4(range.first) ? range.bits - mapped_bits : range.bits;
  return ip_text(range.first) + "/" + std::to_string(bits);
}

}  // namespace

std::optional<ip_address> parse_ip(std::string_view text) {
  std::string const whole(text);
  if (whole.size() != std::string_view(whole.c_str()).size()) return {};
  std::uint8_t four[4];
  if (inet_pton(AF_INET, whole.c_str(), four) == 1) return ipv4(four);
  ip_address out;
  if (inet_pton(AF_INET6, whole.c_str(), out.bytes.data()) == 1) return out;
  return {};
}

std::expected<ip_range, std::string> parse_ip_range(std::string_view text) {
  auto slash = text.find('/');
  auto address = parse_ip(text.substr(0, slash));
  if (!address) return std::unexpected("\"" + std::string(text) + "\" is neither an IP address nor a CIDR.");
  if (slash == text.npos) return ip_range{*address, 128};
  int offset = is_ipv4(*address) ? mapped_bits : 0;
  auto bits = prefix_length(text.substr(slash + 1), 128 - offset);
  if (!bits) return std::unexpected("\"" + std::string(text) + "\" has no valid prefix length after the slash.");
  ip_range range{masked(*address, *bits + offset), *bits + offset};
  if (range.first == *address) return range;
  return std::unexpected("\"" + std::string(text) + "\" has bits set beyond its prefix: write " + text_of(range) + ".");
}

std::string ip_text(ip_address const& address) {
  char out[INET6_ADDRSTRLEN];
  bool four = is_ipv4(address);
  inet_ntop(four ? AF_INET : AF_INET6, address.bytes.data() + (four ? mapped.size() : 0), out, sizeof out);
  return out;
}

bool contains(ip_range const& range, ip_address const& address) { return masked(address, range.bits) == range.first; }

ip_address behind_nat64(ip_address const& address) {
  static auto const prefix = parse_ip_range("64:ff9b::/96").value();
  return contains(prefix, address) ? ipv4(address.bytes.data() + mapped.size()) : address;
}

bool is_public(ip_address const& address) {
  static auto const excluded = ranges_not_public();
  static auto const global = parse_ip_range(global_unicast).value();
  auto real = behind_nat64(address);
  if (!is_ipv4(real) && !contains(global, real)) return false;
  return std::ranges::none_of(excluded, [&](ip_range const& each) { return contains(each, real); });
}

}  // namespace kopiur::encoding
