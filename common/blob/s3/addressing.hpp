#pragma once
#include <expected>
#include <string>

#include "common/http/url.hpp"

/// Where requests for a bucket go.
namespace kopiur::blob::s3 {

enum class style {
  path,          ///< https://host/bucket/key
  virtual_host,  ///< https://bucket.host/key
};

/// Reads `https://s3.example.org:9000`. The error is a sentence; a path or a query is refused.
std::expected<http::address, std::string> parse_endpoint(std::string const& url);
/// Why a bucket's name must not be sent: a sentence; empty: it may. Lenient: stores have their own rules, and refuse what they do not like.
std::string bucket_problem(std::string const& bucket);
/// Where a request goes; `target` is the encoded path. Names with dots, and buckets on an IP address, are in the path whatever the style:
/// no certificate and no host name fits them.
http::address locate(http::address endpoint, style chosen, std::string const& bucket, std::string const& key);
/// The endpoint of another region: on AWS each region has its own host; elsewhere it is the same.
http::address in_region(http::address endpoint, std::string const& region);

}  // namespace kopiur::blob::s3
