#include <boost/asio.hpp>

#include "common/blob/azure/block_blobs.hpp"
#include "common/blob/file_content.hpp"
#include "common/blob/s3/store.hpp"
#include "services/executor/core/object_name.hpp"
#include "services/executor/shell/azure_access.hpp"
#include "services/executor/shell/s3_access.hpp"
#include "services/executor/shell/trusted.hpp"

namespace kopiur::executor {

namespace asio = boost::asio;

namespace {

using content_result = std::expected<blob::seekable_content, std::string>;

content_result open_snapshot(std::string const& path) {
  std::error_code wrong;
  if (!std::filesystem::is_regular_file(path, wrong)) return std::unexpected("The snapshot " + path + " does not exist, or is not a file.");
  try {
    auto content = blob::file_content(path);
    if (content.length == 0) return std::unexpected("The snapshot " + path + " is empty: etcdctl did not write it.");
    return content;
  } catch (std::system_error const& why) {
    return std::unexpected(std::string(why.what()) + ".");
  }
}

std::string sentence_for(blob::error const& why, std::string const& url) {
  if (why.kind != blob::failure::conflict) return why.message;
  return "The object " + url + " exists already, and nothing was overwritten. " + why.message;
}

blob::error unusable(std::string why) { return {.kind = blob::failure::invalid, .message = std::move(why)}; }

/// What an upload is made of, whatever its store.
struct source {
  clock& time;
  blob::transport through;
  blob::seekable_content content;
  environment variables;
  http::certificates trusted;
};

blob::awaitable_result<blob::stored> to_s3(source from, snapshot_upload what, std::string key) {
  auto access = co_await s3_access(from.time, from.through, what, std::move(from.variables), std::move(from.trusted));
  if (!access) co_return std::unexpected(unusable(std::move(access.error())));
  blob::s3::store store(from.time, from.through, std::move(*access));
  blob::put_options options{.only_new = true, .encryption_key = what.aws_kms_key_arn};
  co_return co_await store.put_large(what.aws_bucket, key, std::move(from.content), std::move(options));
}

blob::awaitable_result<blob::stored> to_azure(source from, snapshot_upload what, std::string key) {
  if (what.azure_encryption_scope.contains('/'))
    co_return std::unexpected(
        unusable("The encryption scope " + what.azure_encryption_scope +
                 " is the URL of a key. Azure needs the name of an encryption scope, which the storage account has for it."));
  auto access = co_await azure_access(from.time, from.through, what, std::move(from.variables), std::move(from.trusted));
  if (!access) co_return std::unexpected(unusable(std::move(access.error())));
  blob::azure::block_blobs blobs(from.time, from.through, std::move(*access));
  blob::put_options options{.only_new = true, .encryption_key = what.azure_encryption_scope};
  co_return co_await blobs.put_large(what.azure_container, key, std::move(from.content), std::move(options));
}

}  // namespace

app::awaitable<verb_result> upload_snapshot(clock& time, snapshot_upload what, instant now, environment variables) {
  auto content = open_snapshot(what.snapshot_path);
  if (!content) co_return std::unexpected(std::move(content.error()));
  auto trusted = trusted_by(what.ca_file);
  if (!trusted) co_return std::unexpected(std::move(trusted.error()));
  http::pool connections(time, co_await asio::this_coro::executor);
  auto key = object_key(what.key_prefix, now, what.key_suffix);
  source from{time, blob::over(connections), std::move(*content), std::move(variables), std::move(*trusted)};
  auto url = what.is_s3() ? s3_url(what.aws_bucket, key) : azure_url(what, key);
  auto ended = co_await (what.is_s3() ? to_s3(std::move(from), what, key) : to_azure(std::move(from), what, key));
  if (ended) co_return url;
  co_return std::unexpected(sentence_for(ended.error(), url));
}

}  // namespace kopiur::executor
