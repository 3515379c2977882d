#include "common/blob/s3/addressing.hpp"

#include <algorithm>

#include "common/blob/core/uri.hpp"

namespace kopiur::blob::s3 {

namespace {

bool is_ip_address(std::string_view host) {
  return host.contains(':') || std::ranges::all_of(host, [](char c) { return (c >= '0' && c <= '9') || c == '.'; });
}

}  // namespace

std::expected<http::address, std::string> parse_endpoint(std::string const& url) {
  auto read = http::parse_url(url);
  if (!read) return std::unexpected(read.error());
  if (read->target != "/")
    return std::unexpected(
        "The endpoint \"" + http::without_query(url) +
        "\" has a path or a query: an S3 endpoint is only a scheme, a host and a port. Put the bucket and the prefix into "
        "their own settings.");
  return read;
}

std::string bucket_problem(std::string const& bucket) {
  auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || std::string_view("-._").contains(c);
  };
  bool fits = !bucket.empty() && bucket.size() <= 255 && std::ranges::all_of(bucket, is_fine) && bucket != "." && bucket != "..";
  return fits ? "" : "\"" + bucket + "\" is not a valid name of a bucket: use letters, digits, - and dots.";
}

http::address locate(http::address endpoint, style chosen, std::string const& bucket, std::string const& key) {
  bool in_host = chosen == style::virtual_host && !bucket.contains('.') && !is_ip_address(endpoint.host);
  endpoint.target = "/";
  if (bucket.empty()) return endpoint;
  if (in_host)
    endpoint.host = bucket + "." + endpoint.host;
  else
    endpoint.target += encoded(bucket) + (key.empty() ? "" : "/");
  endpoint.target += encoded_path(key);
  return endpoint;
}

http::address in_region(http::address endpoint, std::string const& region) {
  for (std::string domain : {".amazonaws.com.cn", ".amazonaws.com"}) {
    if (!endpoint.host.ends_with(domain)) continue;
    auto service = endpoint.host.substr(0, endpoint.host.find('.'));
    bool is_old = service.starts_with("s3-") && service != "s3-fips";  // s3-eu-west-1.amazonaws.com
    if (service != "s3" && !service.starts_with("s3-")) return endpoint;
    auto dual = endpoint.host.contains(".dualstack.") ? ".dualstack." : ".";
    endpoint.host = (is_old ? "s3" : service) + dual + region + domain;
    return endpoint;
  }
  return endpoint;
}

}  // namespace kopiur::blob::s3
