#pragma once
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "services/executor/core/openbao/ending.hpp"
#include "services/executor/core/openbao/settings.hpp"

namespace kopiur::executor::openbao {

/// Reads and writes objects of one bucket, whatever its provider. No message contains credentials.
struct snapshot_store {
  std::function<blob::awaitable_result<blob::object_content>(std::string key)> get;
  /// A new object; one that exists is never overwritten.
  std::function<blob::awaitable_result<blob::stored>(std::string key, blob::seekable_content content)> put;
};

/// What access to a store needs. `session`: the name of a role's session, for AWS's logs.
struct store_caller {
  clock& time;
  blob::transport through;
  environment variables;
  std::string session;
};

/// Gets the credentials. No bucket is made.
boost::asio::awaitable<outcome<snapshot_store>> open_store(store_caller caller, store_place place);

/// The content of a Secret's key, a file of the folder; empty: there is none.
std::string secret_text(std::string const& folder, std::string const& key);
/// The authorities of the store: the Secret's `caCert` besides the system's, or none at all.
outcome<http::certificates> store_trust(store_place const& place);

/// The providers. A new one is added here, and in open_store().
boost::asio::awaitable<outcome<snapshot_store>> open_s3(store_caller caller, store_place place, http::certificates trusted);
boost::asio::awaitable<outcome<snapshot_store>> open_azure(store_caller caller, store_place place, http::certificates trusted);
boost::asio::awaitable<outcome<snapshot_store>> open_gcs(store_caller caller, store_place place, http::certificates trusted);

}  // namespace kopiur::executor::openbao
