#include <boost/asio.hpp>

#include "common/blob/file_content.hpp"
#include "common/blob/s3/store.hpp"
#include "services/executor/core/object_name.hpp"
#include "services/executor/shell/s3_access.hpp"

namespace kopiur::executor {

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

std::expected<http::certificates, std::string> trusted_by(std::string const& ca_file) {
  if (ca_file.empty()) return http::certificates();
  return http::load({.ca_file = ca_file});
}

std::string sentence_for(blob::error const& why, std::string const& url) {
  if (why.kind != blob::failure::conflict) return why.message;
  return "The object " + url + " exists already, and nothing was overwritten. " + why.message;
}

}  // namespace

app::awaitable<verb_result> upload_snapshot(clock& time, snapshot_upload what, instant now, environment variables) {
  if (!what.is_s3()) co_return std::unexpected("AzureBlob is not supported by this program. Use --storage-type S3.");
  auto content = open_snapshot(what.snapshot_path);
  if (!content) co_return std::unexpected(std::move(content.error()));
  auto trusted = trusted_by(what.ca_file);
  if (!trusted) co_return std::unexpected(std::move(trusted.error()));
  http::pool connections(time, co_await app::asio::this_coro::executor);
  auto access = co_await s3_access(time, blob::over(connections), what, std::move(variables), std::move(*trusted));
  if (!access) co_return std::unexpected(std::move(access.error()));
  auto key = object_key(what.key_prefix, now, what.key_suffix);
  auto url = s3_url(what.aws_bucket, key);
  blob::s3::store store(time, blob::over(connections), std::move(*access));
  blob::put_options options{.only_new = true, .encryption_key = what.aws_kms_key_arn};
  auto ended = co_await store.put_large(what.aws_bucket, key, std::move(*content), std::move(options));
  if (!ended) co_return std::unexpected(sentence_for(ended.error(), url));
  co_return url;
}

}  // namespace kopiur::executor
