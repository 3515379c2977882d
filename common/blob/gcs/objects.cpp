#include "common/blob/gcs/objects.hpp"

#include <boost/asio.hpp>
#include <random>

#include "common/blob/checked_content.hpp"
#include "common/blob/core/digest.hpp"
#include "common/blob/counted_content.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"

namespace kopiur::blob::gcs {

namespace {

constexpr std::uint64_t piece = 1 << 20;

/// Occurs in no content: nobody can guess it.
std::string new_boundary() {
  std::random_device luck;
  std::string bytes;
  for (int i = 0; i < 16; ++i) bytes += static_cast<char>(luck() & 0xff);
  return encoding::hex(bytes);
}

error invalid(std::string const& action, std::string const& why) {
  return {.kind = failure::invalid, .message = action + " failed: " + why};
}

/// A sentence; empty: the names can be those of an object.
std::string problem_of(std::string const& bucket, std::string const& key) {
  if (bucket.empty() || key.empty()) return "a bucket and an object have a name.";
  if (bucket == "." || bucket == ".." || key == "." || key == "..") return "nothing is named . or ... Choose another name.";
  return "";
}

result<request> object_request(std::string action, std::string const& bucket, object_name const& name) {
  request out{.action = std::move(action) + " " + bucket + "/" + name.key, .target = object_path(bucket, name.key)};
  if (auto wrong = problem_of(bucket, name.key); !wrong.empty()) return std::unexpected(invalid(out.action, wrong));
  if (!name.version.empty()) out.query.emplace_back("generation", name.version);
  return out;
}

awaitable_result<std::string> md5_of(seekable_content const& content) {
  digest_stream all(digest_stream::algorithm::md5);
  for (std::uint64_t begin = 0; begin < content.length; begin += piece) {
    auto bytes = co_await read_bytes(content, begin, std::min(piece, content.length - begin));
    if (!bytes) co_return std::unexpected(std::move(bytes.error()));
    all.add(*bytes);
  }
  co_return encoding::base64(all.end());
}

}  // namespace

awaitable_result<object_head> objects::head(std::string bucket, object_name name) {
  auto what = object_request("Looking for the object", bucket, name);
  if (!what) co_return std::unexpected(std::move(what.error()));
  auto action = what->action;
  auto answer = co_await requests_.read(std::move(*what));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  auto read = read_resource(answer->text);
  if (!read) co_return std::unexpected(requests::malformed(action, read.error()));
  co_return object_head{.size = read->size,
                        .tag = std::move(read->tag),
                        .version = std::move(read->generation),
                        .content_type = std::move(read->content_type),
                        .modified = read->modified};
}

awaitable_result<object_content> objects::get(std::string bucket, object_name name) {
  auto what = object_request("Reading the object", bucket, name);
  if (!what) co_return std::unexpected(std::move(what.error()));
  auto action = what->action;
  what->query.emplace_back("alt", "media");
  what->headers.emplace_back("Accept-Encoding", "gzip");  // else the store unpacks what is stored as gzip, without its length
  auto answer = co_await requests_.ask(std::move(*what));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  auto head = head_of(answer->head, "x-goog-generation");
  auto length = head.size;
  auto md5 = md5_in(answer->head.fields);
  co_return checked_content(counted_content(std::move(*answer), std::move(head), length, action), std::move(md5), action);
}

awaitable_result<stored> objects::put_small(upload const& what) {
  auto bytes = co_await read_bytes(what.content, 0, what.content.length);
  if (!bytes) co_return std::unexpected(std::move(bytes.error()));
  auto put = what.begin("multipart");
  auto action = put.action;
  auto boundary = new_boundary();
  put.headers = {{"Content-Type", "multipart/related; boundary=" + boundary}};
  auto& type = what.options.content_type;
  put.body = multipart_body(boundary, metadata_json(what.md5, type), type, *bytes);
  auto answer = co_await requests_.read(std::move(put));
  if (answer) co_return accepted(what, action, answer->text);
  if (!is_uncertain(answer.error())) co_return std::unexpected(std::move(answer.error()));
  co_return co_await check_stored(requests_, what, std::move(answer.error()));
}

awaitable_result<stored> objects::put_large(std::string bucket, std::string key, seekable_content content, put_options options) {
  auto action = "Writing the object " + bucket + "/" + key;
  if (auto wrong = problem_of(bucket, key); !wrong.empty()) co_return std::unexpected(invalid(action, wrong));
  if (auto ready = co_await requests_.authorise(action); !ready) co_return std::unexpected(std::move(ready.error()));
  auto md5 = co_await md5_of(content);
  if (!md5) co_return std::unexpected(std::move(md5.error()));
  upload what{std::move(bucket), std::move(key), std::move(content), std::move(options), std::move(*md5)};
  if (what.content.length <= requests_.settings().chunk_size) co_return co_await put_small(what);
  co_return co_await resumable_upload(requests_, what).run();
}

}  // namespace kopiur::blob::gcs
