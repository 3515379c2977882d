#include "services/executor/core/openbao/names.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"
#include "common/encoding/text.hpp"

namespace kopiur::executor::openbao {

namespace {

std::map<std::string, std::string> parts_of(std::string_view connection) {
  std::map<std::string, std::string> found;
  while (!connection.empty()) {
    auto end = std::min(connection.find(';'), connection.size());
    auto part = connection.substr(0, end);
    if (auto sign = part.find('='); sign != part.npos)
      found[encoding::lower_case(encoding::trimmed(part.substr(0, sign)))] = encoding::trimmed(part.substr(sign + 1));
    connection.remove_prefix(std::min(end + 1, connection.size()));
  }
  return found;
}

std::string of_azure(std::string const& account, std::string const& scheme = "https", std::string const& suffix = "core.windows.net") {
  return scheme + "://" + account + ".blob." + suffix;
}

/// With the account in its path, unless it is in its host name or its path already.
std::string own_endpoint(std::string endpoint, std::string const& account) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  bool is_there = endpoint.contains("://" + account + ".") || endpoint.ends_with("/" + account);
  return is_there ? endpoint : endpoint + "/" + account;
}

std::string value_of(std::map<std::string, std::string> const& parts, std::string const& name, std::string const& otherwise) {
  auto found = parts.find(name);
  return found == parts.end() || found->second.empty() ? otherwise : found->second;
}

}  // namespace

std::string backup_key(backup_settings const& what, instant now, std::string const& random) {
  if (!what.key.empty()) return what.key;
  auto when = to_text(std::chrono::floor<std::chrono::seconds>(now));
  std::ranges::replace(when, ':', '-');
  auto prefix = std::string(encoding::trimmed(what.path_prefix, "/"));
  if (!prefix.empty()) prefix += "/";
  auto file = what.filename_prefix.empty() ? "" : what.filename_prefix + "-";
  return prefix + what.cluster.ns + "/" + what.cluster.name + "/" + file + when + "-" + random + ".snap";
}

std::expected<azure_account, std::string> azure_account_of(store_place const& place, std::string const& connection,
                                                           std::string const& encoded_key) {
  auto parts = parts_of(connection);
  azure_account found{.endpoint = {}, .name = value_of(parts, "accountname", place.azure_account)};
  if (found.name.empty())
    return std::unexpected(
        "The storage account of Azure is not known. Set BACKUP_AZURE_STORAGE_ACCOUNT, or connectionString in the Secret.");
  auto key = value_of(parts, "accountkey", encoded_key);
  auto decoded = encoding::from_base64(key);
  if (!decoded) return std::unexpected("The account's key of the Secret (accountKey, or in connectionString) is not base64.");
  found.key = std::move(*decoded);
  auto blobs = value_of(parts, "blobendpoint", "");
  if (!blobs.empty())
    found.endpoint = std::string(encoding::trimmed(blobs, "/"));
  else if (!place.endpoint.empty())
    found.endpoint = own_endpoint(place.endpoint, found.name);
  else
    found.endpoint =
        of_azure(found.name, value_of(parts, "defaultendpointsprotocol", "https"), value_of(parts, "endpointsuffix", "core.windows.net"));
  return found;
}

}  // namespace kopiur::executor::openbao
