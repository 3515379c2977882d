#include <boost/asio.hpp>

#include "common/blob/s3/store.hpp"
#include "common/blob/s3/web_identity.hpp"
#include "services/executor/shell/openbao/snapshot_store.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
namespace s3 = blob::s3;
using asio::awaitable;

namespace {

using credentials_result = outcome<s3::credentials>;

std::string region_of(store_place const& place) {
  for (auto& each : {secret_text(place.credentials, "region"), place.region})
    if (!each.empty()) return each;
  return "us-east-1";
}

credentials_result keys_of(store_place const& place) {
  s3::credentials found{.access_key = secret_text(place.credentials, "accessKeyId"),
                        .secret_key = secret_text(place.credentials, "secretAccessKey"),
                        .session_token = secret_text(place.credentials, "sessionToken")};
  if (found.access_key.empty() == found.secret_key.empty()) return found;
  return std::unexpected(trouble{status::configuration, "The Secret in " + place.credentials +
                                                            " has only one of accessKeyId and secretAccessKey. Add the other one."});
}

/// STS is AWS's, and the store's own authority does not sign for it.
awaitable<credentials_result> assume_role(store_caller caller, store_place place) {
  auto endpoint = variable(caller.variables, "AWS_ENDPOINT_URL_STS");
  s3::web_identity role{.endpoint = endpoint.empty() ? s3::sts_endpoint(region_of(place)) : endpoint,
                        .role = variable(caller.variables, "AWS_ROLE_ARN"),
                        .token_file = variable(caller.variables, "AWS_WEB_IDENTITY_TOKEN_FILE"),
                        .session = caller.session};
  if (role.role.empty() || role.token_file.empty())
    co_return std::unexpected(trouble{status::configuration,
                                      "There are no credentials for the store. Give credentialsSecretRef a Secret with accessKeyId and "
                                      "secretAccessKey, or set AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE for a role."});
  auto got = co_await s3::assume_role(caller.time, caller.through, std::move(role));
  if (!got) co_return std::unexpected(trouble{status::storage, std::move(got.error().message)});
  co_return std::move(got->who);
}

}  // namespace

awaitable<outcome<snapshot_store>> open_s3(store_caller caller, store_place place, http::certificates trusted) {
  auto who = keys_of(place);
  if (who && who->access_key.empty()) who = co_await assume_role(caller, place);
  if (!who) co_return std::unexpected(std::move(who.error()));
  s3::options options{.endpoint = place.endpoint.empty() ? s3::s3_endpoint(region_of(place)) : place.endpoint,
                      .region = region_of(place),
                      .addressing = place.path_style ? s3::style::path : s3::style::virtual_host,
                      .identity = [known = std::move(*who)] { return known; },
                      .trusted = std::move(trusted),
                      .limits = {.total = std::chrono::minutes(30)}};
  if (auto endpoint = s3::parse_endpoint(options.endpoint); !endpoint)
    co_return std::unexpected(trouble{status::configuration, std::move(endpoint.error())});
  auto store = std::make_shared<s3::store>(caller.time, caller.through, std::move(options));
  auto bucket = place.bucket;
  co_return snapshot_store{.get = [store, bucket](std::string key) { return store->get(bucket, {std::move(key)}, {}); },
                           .put =
                               [store, bucket](std::string key, blob::seekable_content content) {
                                 return store->put_large(bucket, std::move(key), std::move(content), {.only_new = true});
                               }};
}

}  // namespace kopiur::executor::openbao
