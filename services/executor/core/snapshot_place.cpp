#include "services/executor/core/snapshot_place.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "common/encoding/ip_address.hpp"
#include "common/encoding/text.hpp"

namespace kopiur::executor {

namespace {

using place_result = std::expected<snapshot_place, std::string>;

constexpr std::string_view azure_domain = ".blob.core.windows.net";

std::string without_query(std::string_view url) { return std::string(url.substr(0, url.find('?'))); }

std::string_view after_scheme(std::string_view url) { return url.substr(std::min(url.find("//"), url.size() - 2) + 2); }

/// `BUCKET/KEY`
std::optional<snapshot_place> read_names(snapshot_place::kind store, std::string_view text) {
  auto slash = text.find('/');
  if (slash == 0 || slash == text.npos || slash + 1 == text.size()) return std::nullopt;
  return snapshot_place{.store = store, .container = std::string(text.substr(0, slash)), .key = std::string(text.substr(slash + 1))};
}

bool is_account(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); });
}

/// `https://ACCOUNT.blob.core.windows.net`, exactly: credentials are sent to no other host.
std::string azure_endpoint(std::string_view url) {
  if (!url.starts_with("https://")) return "";
  auto rest = after_scheme(url);
  auto host = encoding::lower_case(rest.substr(0, rest.find('/')));
  if (!host.ends_with(azure_domain) || !is_account(host.substr(0, host.size() - azure_domain.size()))) return "";
  return "https://" + host;
}

/// The last segment of the path, as an emulator has it, else the first label of the host.
std::string account_of(std::string_view endpoint) {
  auto rest = after_scheme(endpoint);
  if (auto slash = rest.rfind('/'); slash != rest.npos) return std::string(rest.substr(slash + 1));
  return std::string(rest.substr(0, rest.find_first_of(".:")));
}

bool is_this_machine(std::string_view url) {
  auto rest = after_scheme(url);
  auto authority = rest.substr(0, rest.find_first_of("/?#"));
  if (authority.contains('@')) return false;
  bool bracketed = authority.starts_with('[');
  auto host = bracketed ? authority.substr(1, authority.find(']') - 1) : authority.substr(0, authority.find(':'));
  if (host == "localhost") return true;
  auto address = encoding::parse_ip(host);
  return address && (contains(*encoding::parse_ip_range("127.0.0.0/8"), *address) || address == encoding::parse_ip("::1"));
}

place_result read_s3(snapshot_check const& what) {
  auto found = read_names(snapshot_place::kind::s3, what.url.substr(5));
  if (!found) return std::unexpected("The URL " + what.url + " names no object. Write s3://BUCKET/KEY.");
  return *found;
}

place_result read_azure(snapshot_check const& what, std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  auto names = std::string_view(what.url).substr(endpoint.size());
  auto found = names.starts_with('/') ? read_names(snapshot_place::kind::azure, names.substr(1)) : std::nullopt;
  if (!found) return std::unexpected("The URL " + what.url + " names no object. Write " + endpoint + "/CONTAINER/KEY.");
  if (!what.region.empty()) return std::unexpected("--region is only for s3:// URLs. Remove it.");
  found->account = account_of(endpoint);
  found->endpoint = std::move(endpoint);
  return *found;
}

place_result read_plain(snapshot_check const& what) {
  for (auto& [name, value] :
       {std::pair("--credentials-file", what.credentials_file), std::pair("--region", what.region), std::pair("--endpoint", what.endpoint)})
    if (!value.empty())
      return std::unexpected(
          std::string(name) + " is not used: the URL " + without_query(what.url) +
          " is fetched as it is, without credentials. Remove it, or give the URL of the object as the upload printed it, and "
          "--endpoint if the store is not that of AWS or Azure.");
  return snapshot_place();
}

}  // namespace

place_result place_of(snapshot_check const& what) {
  std::string_view url = what.url;
  if (url.starts_with("s3://")) return read_s3(what);
  if (!url.starts_with("https://") && !url.starts_with("http://"))
    return std::unexpected("The URL " + without_query(url) + " is not valid. Write s3://BUCKET/KEY, or an https:// URL.");
  if (url.starts_with("http://") && !is_this_machine(url))
    return std::unexpected("The URL " + without_query(url) + " is not encrypted: anybody on the way could change the snapshot. Use https.");
  if (url.contains('?')) return read_plain(what);
  if (what.endpoint.empty()) {
    auto endpoint = azure_endpoint(url);
    return endpoint.empty() ? read_plain(what) : read_azure(what, std::move(endpoint));
  }
  if (url.starts_with(what.endpoint)) return read_azure(what, what.endpoint);
  return std::unexpected("The URL " + what.url + " does not begin with --endpoint, " + without_query(what.endpoint) +
                         ". Credentials are sent to no other store. Correct one of them.");
}

}  // namespace kopiur::executor
