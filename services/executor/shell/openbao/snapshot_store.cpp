#include "services/executor/shell/openbao/snapshot_store.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl/context.hpp>

#include "common/encoding/text.hpp"
#include "common/files/files.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;

std::string secret_text(std::string const& folder, std::string const& key) {
  return std::string(encoding::trimmed(files::read_file(files::fs::path(folder) / key).value_or("")));
}

outcome<http::certificates> store_trust(store_place const& place) {
  if (place.insecure) {
    auto anybody = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
    anybody->set_verify_mode(asio::ssl::verify_none);
    return anybody;
  }
  auto authority = secret_text(place.credentials, "caCert");
  if (authority.empty()) return http::certificates();
  auto trusted = http::load({.ca_text = authority + "\n"});
  if (!trusted) return std::unexpected(trouble{status::configuration, "The key caCert of the Secret: " + trusted.error()});
  return std::move(*trusted);
}

asio::awaitable<outcome<snapshot_store>> open_store(store_caller caller, store_place place) {
  auto trusted = store_trust(place);
  if (!trusted) co_return std::unexpected(std::move(trusted.error()));
  switch (place.provider) {
    case store_place::kind::s3:
      co_return co_await open_s3(std::move(caller), std::move(place), std::move(*trusted));
    case store_place::kind::azure:
      co_return co_await open_azure(std::move(caller), std::move(place), std::move(*trusted));
    case store_place::kind::gcs:
      co_return co_await open_gcs(std::move(caller), std::move(place), std::move(*trusted));
  }
  __builtin_unreachable();
}

}  // namespace kopiur::executor::openbao
