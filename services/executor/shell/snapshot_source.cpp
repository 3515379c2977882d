#include "services/executor/shell/snapshot_source.hpp"

#include <boost/asio.hpp>

#include "common/blob/azure/block_blobs.hpp"
#include "common/blob/core/refusal.hpp"
#include "common/blob/counted_content.hpp"
#include "common/blob/s3/store.hpp"
#include "services/executor/shell/azure_access.hpp"
#include "services/executor/shell/s3_access.hpp"

namespace kopiur::executor {

namespace {

using content_result = blob::awaitable_result<blob::object_content>;

constexpr std::size_t longest_answer = 256 << 10;

std::unexpected<blob::error> unusable(std::string why) {
  return std::unexpected(blob::error{.kind = blob::failure::invalid, .message = std::move(why)});
}

/// `--region`, else what AWS's own programs read.
std::string region_of(snapshot_check const& what, environment const& variables) {
  for (auto& each : {what.region, variable(variables, "AWS_REGION"), variable(variables, "AWS_DEFAULT_REGION")})
    if (!each.empty()) return each;
  return "us-east-1";
}

content_result from_s3(snapshot_source from, snapshot_place place) {
  snapshot_upload what{.storage_type = "S3", .credentials_file = from.what.credentials_file, .endpoint = from.what.endpoint};
  what.aws_bucket = place.container, what.aws_region = region_of(from.what, from.variables);
  s3_caller caller{.session = "etcd-verify", .may_have_keys = true};
  auto access = co_await s3_access(from.time, from.through, std::move(what), std::move(from.variables), std::move(from.trusted), caller);
  if (!access) co_return unusable(std::move(access.error()));
  if (auto endpoint = blob::s3::parse_endpoint(access->endpoint); !endpoint) co_return unusable(std::move(endpoint.error()));
  blob::s3::store store(from.time, from.through, std::move(*access));
  blob::object_name name{place.key};
  co_return co_await store.get(place.container, std::move(name), blob::byte_range());
}

content_result from_azure(snapshot_source from, snapshot_place place) {
  snapshot_upload what{.storage_type = "AzureBlob", .credentials_file = from.what.credentials_file, .endpoint = place.endpoint};
  what.azure_container = place.container, what.azure_storage_account = place.account;
  auto access = co_await azure_access(from.time, from.through, std::move(what), std::move(from.variables), std::move(from.trusted));
  if (!access) co_return unusable(std::move(access.error()));
  blob::azure::block_blobs blobs(from.time, from.through, std::move(*access));
  co_return co_await blobs.get(place.container, place.key);
}

/// Of a refusal only the code is told: the text of a store may repeat a signature.
blob::error refused(int status, std::string_view body, std::string const& action) {
  auto document = blob::read_error_document(body);
  document.message.clear();
  auto failed = blob::classify({.status = status, .document = std::move(document)}, action, {"the server", {}});
  if (failed.kind == blob::failure::denied) failed.message += " The URL may have expired: ask for a new one.";
  if (status / 100 == 3) failed.message += " Give the URL that it redirects to.";
  return failed;
}

content_result from_url(snapshot_source from, std::string action) {
  auto where = http::parse_url(from.what.url);
  if (!where) co_return unusable(std::move(where.error()));
  http::streamed_request what{.where = std::move(*where), .trusted = std::move(from.trusted)};
  auto answer = co_await from.through(std::move(what));
  if (!answer) co_return std::unexpected(blob::error{.kind = blob::failure::unavailable, .message = action + " failed: " + answer.error()});
  auto status = answer->head.status;
  if (status != 200) {
    auto body = co_await blob::text_of(*answer, longest_answer);
    co_return std::unexpected(refused(status, body.value_or(""), action));
  }
  if (answer->head["content-length"].empty())
    co_return unusable(action + " failed: the answer does not tell its length, so that nobody could say whether it is whole.");
  auto length = blob::content_length(answer->head);
  blob::object_head head{.size = length};
  co_return blob::counted_content(std::move(*answer), std::move(head), length, std::move(action));
}

}  // namespace

content_result open_source(snapshot_source from, snapshot_place place) {
  switch (place.store) {
    case snapshot_place::kind::s3:
      return from_s3(std::move(from), std::move(place));
    case snapshot_place::kind::azure:
      return from_azure(std::move(from), std::move(place));
    case snapshot_place::kind::plain:
      break;
  }
  auto action = "Reading " + http::without_query(from.what.url);
  return from_url(std::move(from), std::move(action));
}

}  // namespace kopiur::executor
