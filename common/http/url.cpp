#include "common/http/url.hpp"

#include <algorithm>

namespace kopiur::http {

namespace {

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7F; });
}

}  // namespace

std::expected<address, std::string> parse_url(std::string_view url) {
  auto wrong = [&](std::string why) { return std::unexpected("The URL \"" + without_query(url) + "\" " + why); };
  address out;
  if (url.starts_with("https://")) {
    out.tls = true;
  } else if (!url.starts_with("http://")) {
    return wrong("starts with neither http:// nor https://.");
  }
  if (!is_printable(url)) return wrong("holds spaces or control characters: percent-encode them.");
  auto rest = url.substr(url.find("//") + 2);
  auto end = rest.find_first_of("/?#");
  auto authority = rest.substr(0, end);
  if (authority.contains('@')) return std::unexpected("The URL holds a user or password: put them into a header from a Secret.");
  auto target = end == rest.npos ? std::string_view() : rest.substr(end);
  target = target.substr(0, target.find('#'));
  out.target = std::string(target.starts_with('/') ? "" : "/") + std::string(target);
  auto bracket = authority.rfind(']');
  auto colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  out.host = std::string(authority.substr(0, colon));
  if (out.host.starts_with('[') && out.host.ends_with(']')) out.host = out.host.substr(1, out.host.size() - 2);
  out.port = colon == authority.npos ? (out.tls ? "443" : "80") : std::string(authority.substr(colon + 1));
  bool digits = !out.port.empty() && std::ranges::all_of(out.port, [](char c) { return c >= '0' && c <= '9'; });
  bool is_port = digits && out.port.size() <= 5 && std::stoi(out.port) <= 65535;
  if (out.host.empty() || out.host.find_first_of("[]") != out.host.npos || !is_port) return wrong("names no host, or no port.");
  return out;
}

std::string host_header(address const& where) {
  auto host = where.host.contains(':') ? "[" + where.host + "]" : where.host;
  bool default_port = where.port == (where.tls ? "443" : "80");
  return default_port ? host : host + ":" + where.port;
}

std::string without_query(std::string_view url) { return std::string(url.substr(0, url.find('?'))); }

}  // namespace kopiur::http
