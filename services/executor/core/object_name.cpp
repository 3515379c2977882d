#include "services/executor/core/object_name.hpp"

#include <algorithm>

namespace kopiur::executor {

namespace {

constexpr std::size_t longest = 2000;

}  // namespace

std::string object_key(std::string prefix, instant when, std::string const& suffix) {
  while (prefix.ends_with('/')) prefix.pop_back();
  auto seconds = std::chrono::floor<std::chrono::seconds>(when).time_since_epoch().count();
  auto name = std::to_string(seconds) + (suffix.empty() ? "" : "-" + suffix) + ".db";
  return prefix.empty() ? name : prefix + "/" + name;
}

std::string s3_url(std::string const& bucket, std::string const& key) { return "s3://" + bucket + "/" + key; }

std::string azure_endpoint(snapshot_upload const& what) {
  auto url = what.endpoint.empty() ? "https://" + what.azure_storage_account + ".blob.core.windows.net" : what.endpoint;
  while (url.ends_with('/')) url.pop_back();
  return url;
}

std::string azure_url(snapshot_upload const& what, std::string const& key) {
  return azure_endpoint(what) + "/" + what.azure_container + "/" + key;
}

std::string one_line(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
  if (text.size() <= longest) return text;
  auto is_middle = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };  // of a character of UTF-8
  auto end = longest - 3;
  while (end > 0 && is_middle(text[end])) --end;
  return text.substr(0, end) + "...";
}

}  // namespace kopiur::executor
