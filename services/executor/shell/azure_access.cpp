#include "services/executor/shell/azure_access.hpp"

#include <boost/asio.hpp>

#include "common/blob/azure/access_token.hpp"
#include "common/encoding/text.hpp"
#include "common/files/files.hpp"
#include "services/executor/core/object_name.hpp"

namespace kopiur::executor {

namespace {

namespace azure = blob::azure;
using credentials_result = std::expected<azure::credentials, std::string>;

credentials_result of_file(snapshot_upload const& what) {
  if (what.azure_auth_type == "managed-identity")
    return std::unexpected("The certificate of a managed identity is not supported. Use a client's secret, or a workload identity.");
  auto text = files::read_file(what.credentials_file);
  if (!text)
    return std::unexpected("The credentials file " + what.credentials_file +
                           " does not exist. Mount the Secret there, or correct the path.");
  auto read = azure::read_credentials(*text);
  if (!read) return std::unexpected(read.error() + " The file is " + what.credentials_file + ".");
  return read;
}

credentials_result of_pod(environment const& variables) {
  azure::credentials found{.who = {.tenant = variable(variables, "AZURE_TENANT_ID"), .client = variable(variables, "AZURE_CLIENT_ID")}};
  auto file = variable(variables, "AZURE_FEDERATED_TOKEN_FILE");
  if (found.who.tenant.empty() || found.who.client.empty() || file.empty())
    return std::unexpected(
        "There are no credentials. Give --credentials-file, or the pod a workload identity, which sets AZURE_TENANT_ID, AZURE_CLIENT_ID "
        "and "
        "AZURE_FEDERATED_TOKEN_FILE.");
  auto token = files::read_file(file);
  found.who.assertion = token ? std::string(encoding::trimmed(*token)) : "";
  if (found.who.assertion.empty())
    return std::unexpected("The token's file " + file + " does not exist, or is empty. Mount a projected token.");
  return found;
}

}  // namespace

app::awaitable<std::expected<azure::options, std::string>> azure_access(clock& time, blob::transport through, snapshot_upload what,
                                                                        environment variables, http::certificates trusted) {
  auto found = what.credentials_file.empty() ? of_pod(variables) : of_file(what);
  if (!found) co_return std::unexpected(std::move(found.error()));
  azure::options access{.endpoint = azure_endpoint(what), .account = what.azure_storage_account};
  access.key = std::move(found->account_key);
  access.trusted = trusted;
  if (!access.key.empty()) co_return access;
  azure::authority from;
  if (auto url = variable(variables, "AZURE_AUTHORITY_HOST"); !url.empty()) from.url = std::move(url);
  from.trusted = std::move(trusted);
  auto token = co_await azure::fetch_token(time, std::move(through), std::move(from), std::move(found->who));
  if (!token) co_return std::unexpected(std::move(token.error().message));
  access.token = std::move(*token);
  co_return access;
}

}  // namespace kopiur::executor
