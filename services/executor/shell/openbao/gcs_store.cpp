#include <boost/asio.hpp>

#include "common/blob/gcs/objects.hpp"
#include "services/executor/shell/openbao/snapshot_store.hpp"

namespace kopiur::executor::openbao {

namespace gcs = blob::gcs;
using boost::asio::awaitable;

namespace {

/// By the service account's key, else by the identity of the pod. None: an emulator asks for nobody.
std::expected<gcs::token_source, std::string> tokens_for(store_caller const& caller, store_place const& place, bool tls,
                                                         http::certificates trusted) {
  auto text = secret_text(place.credentials, "credentials.json");
  if (text.empty() && !tls) return gcs::token_source();
  gcs::authority from{.trusted = std::move(trusted)};
  if (text.empty()) {
    auto host = variable(caller.variables, "GCE_METADATA_HOST");
    return gcs::metadata_tokens(caller.time, caller.through, host.empty() ? "metadata.google.internal" : host, std::move(from));
  }
  auto who = gcs::read_credentials(text);
  if (!who) return std::unexpected("The key credentials.json of the Secret cannot be used. " + who.error());
  return gcs::tokens_of(caller.time, caller.through, std::move(*who), std::move(from));
}

/// One generation, whatever is written meanwhile.
blob::awaitable_result<blob::object_content> read_newest(std::shared_ptr<gcs::objects> objects, std::string bucket, std::string key) {
  auto head = co_await objects->head(bucket, {key});
  if (!head) co_return std::unexpected(std::move(head.error()));
  co_return co_await objects->get(std::move(bucket), {std::move(key), std::move(head->version)});
}

}  // namespace

awaitable<outcome<snapshot_store>> open_gcs(store_caller caller, store_place place, http::certificates trusted) {
  gcs::options access{.limits = {.total = std::chrono::minutes(30)}};
  if (!place.endpoint.empty()) access.endpoint = place.endpoint;
  auto where = http::parse_url(access.endpoint);
  if (!where) co_return std::unexpected(trouble{status::configuration, "The store's endpoint cannot be used: " + where.error()});
  // A token is good for more than one request: nobody gets it whose certificate was not verified.
  access.trusted = place.insecure ? http::certificates() : std::move(trusted);
  auto tokens = tokens_for(caller, place, where->tls, access.trusted);
  if (!tokens) co_return std::unexpected(trouble{status::configuration, std::move(tokens.error())});
  access.tokens = std::move(*tokens);
  auto objects = std::make_shared<gcs::objects>(caller.time, caller.through, std::move(access));
  auto bucket = place.bucket;
  co_return snapshot_store{.get = [objects, bucket](std::string key) { return read_newest(objects, bucket, std::move(key)); },
                           .put =
                               [objects, bucket](std::string key, blob::seekable_content content) {
                                 return objects->put_large(bucket, std::move(key), std::move(content), {.only_new = true});
                               }};
}

}  // namespace kopiur::executor::openbao
