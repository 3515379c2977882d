#include "common/http/url.hpp"

#include <boost/url.hpp>

namespace kopiur::http {

std::expected<address, std::string> parse_url(std::string_view url) {
  auto wrong = [&](std::string why) { return std::unexpected("The URL \"" + without_query(url) + "\" " + why); };
  auto read = boost::urls::parse_uri(url);
  if (url.substr(0, url.find_first_of("/?#", url.find("//") + 2)).contains('@') || (read && read->has_userinfo()))
    return std::unexpected("The URL holds a user or password: put them into a header from a Secret.");
  bool tls = url.starts_with("https://");
  if (!tls && !url.starts_with("http://")) return wrong("starts with neither http:// nor https://.");
  bool ends_host = !read.has_error() && (read->encoded_path().empty() || read->encoded_path().starts_with('/'));
  if (!ends_host) return wrong("is not a valid URL: percent-encode what may not stand in one.");
  bool is_port = !read->has_port() || (!read->port().empty() && (read->port_number() > 0 || read->port() == "0"));
  std::string host(read->encoded_host_address());  // as it was written: decoded, it could end a header's line
  if (host.empty() || !is_port) return wrong("names no host, or no port.");
  std::string target(read->encoded_target());
  return address{.tls = tls,
                 .host = std::move(host),
                 .port = read->has_port() ? std::string(read->port())
                         : tls            ? "443"
                                          : "80",
                 .target = target.starts_with('/') ? target : "/" + target};
}

std::string host_header(address const& where) {
  auto host = where.host.contains(':') ? "[" + where.host + "]" : where.host;
  bool default_port = where.port == (where.tls ? "443" : "80");
  return default_port ? host : host + ":" + where.port;
}

std::string without_query(std::string_view url) { return std::string(url.substr(0, url.find('?'))); }

}  // namespace kopiur::http
