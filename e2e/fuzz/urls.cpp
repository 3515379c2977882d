#include "common/http/client.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {
namespace {

std::string text_of(http::address const& from) {
  auto host = from.host.contains(':') ? "[" + from.host + "]" : from.host;
  return (from.tls ? "https://" : "http://") + host + ":" + from.port + from.target;
}

}  // namespace

void look(std::string_view input) {
  auto bare = http::without_query(input);
  require(bare.find('?') == bare.npos && input.starts_with(bare), "a URL without its query is the beginning of it");
  auto read = http::parse_url(input);
  if (!read) return require(read.error().starts_with("The URL"), "a refusal is a sentence");
  require(!read->host.empty() && !read->host.contains('[') && !read->host.contains(']'), "a host has no brackets");
  require(std::stoi(read->port) <= 65535, "a port is one");
  require(read->target.starts_with('/') && !read->target.contains('#'), "a target is a path, without fragment");
  auto again = http::parse_url(text_of(*read));
  require(again && text_of(*again) == text_of(*read), "a URL that is put together again is the same");
}

}  // namespace kopiur::fuzz
