#pragma once
#include "common/blob/azure/requests.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

/// The access to a storage account: by the credentials file (an application's secret, or the account's key), else by the workload identity
/// of AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_FEDERATED_TOKEN_FILE. A token is fetched once. The error is a sentence.
app::awaitable<std::expected<blob::azure::options, std::string>> azure_access(clock& time, blob::transport through, snapshot_upload what,
                                                                              environment variables, http::certificates trusted);

}  // namespace kopiur::executor
