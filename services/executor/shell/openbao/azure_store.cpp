#include <boost/asio.hpp>

#include "common/blob/azure/block_blobs.hpp"
#include "services/executor/core/openbao/names.hpp"
#include "services/executor/shell/azure_access.hpp"
#include "services/executor/shell/openbao/snapshot_store.hpp"

namespace kopiur::executor::openbao {

namespace azure = blob::azure;
using boost::asio::awaitable;

namespace {

/// By the key, else by the pod's workload identity.
awaitable<std::expected<azure::options, std::string>> access_to(store_caller caller, azure_account account, http::certificates trusted) {
  if (!account.key.empty())
    co_return azure::options{.endpoint = account.endpoint, .account = account.name, .key = account.key, .trusted = std::move(trusted)};
  snapshot_upload what{.storage_type = "AzureBlob", .endpoint = account.endpoint};
  what.azure_storage_account = account.name;
  co_return co_await azure_access(caller.time, caller.through, std::move(what), std::move(caller.variables), std::move(trusted));
}

}  // namespace

awaitable<outcome<snapshot_store>> open_azure(store_caller caller, store_place place, http::certificates trusted) {
  auto account = azure_account_of(place, secret_text(place.credentials, "connectionString"), secret_text(place.credentials, "accountKey"));
  if (!account) co_return std::unexpected(trouble{status::configuration, std::move(account.error())});
  auto access = co_await access_to(caller, std::move(*account), std::move(trusted));
  if (!access) co_return std::unexpected(trouble{status::storage, std::move(access.error())});
  access->limits.total = std::chrono::minutes(30);
  auto blobs = std::make_shared<azure::block_blobs>(caller.time, caller.through, std::move(*access));
  auto container = place.bucket;
  co_return snapshot_store{.get = [blobs, container](std::string key) { return blobs->get(container, std::move(key)); },
                           .put =
                               [blobs, container](std::string key, blob::seekable_content content) {
                                 return blobs->put_large(container, std::move(key), std::move(content), {.only_new = true});
                               }};
}

}  // namespace kopiur::executor::openbao
