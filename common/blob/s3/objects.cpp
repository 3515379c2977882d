#include <boost/asio.hpp>

#include "common/blob/core/digest.hpp"
#include "common/blob/counted_content.hpp"
#include "common/blob/s3/part_upload.hpp"
#include "common/blob/s3/store.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob::s3 {

namespace asio = boost::asio;

namespace {

std::uint64_t number(std::string_view text) { return encoding::whole_number<std::uint64_t>(text).value_or(0); }

std::string text_of(byte_range const& range) {
  auto begin = "bytes=" + std::to_string(range.offset) + "-";
  return range.length ? begin + std::to_string(range.offset + *range.length - 1) : begin;
}

request object_request(std::string action, std::string method, std::string const& bucket, object_name const& name) {
  request out{.action = std::move(action) + " " + bucket + "/" + name.key, .method = std::move(method), .bucket = bucket, .key = name.key};
  if (!name.version.empty()) out.query.emplace_back("versionId", name.version);
  return out;
}

error invalid(std::string const& action, std::string const& why) {
  return {.kind = failure::invalid, .message = action + " failed: " + why};
}

std::string big_endian(std::uint32_t number) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(number >> shift & 0xff);
  return out;
}

}  // namespace

std::string key_problem(std::string const& key) {
  if (key.empty()) return "an object's name is not empty.";
  for (auto& segment : {"/" + key + "/"})
    if (segment.contains("/./") || segment.contains("/../"))
      return "a part of the object's name is . or .., so that a proxy may make another path of it. Choose another name.";
  return "";
}

awaitable_result<object_head> store::head(std::string bucket, object_name name) {
  auto what = object_request("Looking for the object", "HEAD", bucket, name);
  if (auto wrong = key_problem(name.key); !wrong.empty()) co_return std::unexpected(invalid(what.action, wrong));
  auto answer = co_await requests_.ask(std::move(what));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  co_return head_of(answer->head, "x-amz-version-id");
}

awaitable_result<object_content> store::get(std::string bucket, object_name name, byte_range range) {
  auto what = object_request("Reading the object", "GET", bucket, name);
  auto wrong = range.length == 0U ? "the range is empty." : key_problem(name.key);
  if (!wrong.empty()) co_return std::unexpected(invalid(what.action, wrong));
  bool partly = range.offset > 0 || range.length;
  if (partly) what.headers.emplace_back("Range", text_of(range));
  auto action = what.action;
  auto answer = co_await requests_.ask(std::move(what));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  auto head = head_of(answer->head, "x-amz-version-id");
  auto length = head.size;
  if (answer->head.status == 206) {
    auto whole = answer->head["content-range"];
    head.size = number(whole.substr(std::min(whole.find('/'), whole.size() - 1) + 1));
  } else if (partly && (range.offset > 0 || head.size > *range.length)) {
    co_return std::unexpected(
        error{.kind = failure::unsupported, .message = action + " failed: the store does not read parts of objects."});
  }
  co_return counted_content(std::move(*answer), std::move(head), length, std::move(action));
}

/// Without TLS the signature must cover the content: reads it once to hash it.
awaitable_result<void> store::hash(http::upload& content, put_options& with_hash) const {
  digest_stream stream(digest_stream::algorithm::sha256);
  std::string buffer(std::min<std::uint64_t>(64 << 10, content.length), 0);
  for (auto left = content.length; left > 0;) {
    auto length = co_await content.read(asio::buffer(buffer.data(), std::min<std::uint64_t>(buffer.size(), left)));
    if (length == 0) co_return std::unexpected(error{.kind = failure::invalid, .message = "The content is shorter than its length says."});
    stream.add({buffer.data(), length});
    left -= length;
  }
  content.rewind();
  with_hash.sha256 = stream.end();
  co_return result<void>();
}

void add_settings(parameters& headers, put_options const& options) {
  if (!options.content_type.empty()) headers.emplace_back("Content-Type", options.content_type);
  if (options.encryption_key.empty()) return;
  headers.emplace_back("x-amz-server-side-encryption", "aws:kms");
  headers.emplace_back("x-amz-server-side-encryption-aws-kms-key-id", options.encryption_key);
}

awaitable_result<stored> store::put(std::string bucket, std::string key, http::upload content, put_options options) {
  auto what = object_request("Writing the object", "PUT", bucket, {key});
  if (auto wrong = key_problem(key); !wrong.empty()) co_return std::unexpected(invalid(what.action, wrong));
  if (!content.read) content = http::text_upload("");
  if (options.sha256.empty() && !requests_.tls()) {
    if (!content.rewind)
      co_return std::unexpected(invalid(what.action, "without TLS the SHA-256 of the content must be known first. Use https."));
    if (auto read = co_await hash(content, options); !read) co_return std::unexpected(std::move(read.error()));
  }
  if (options.only_new) what.headers.emplace_back("If-None-Match", "*");
  add_settings(what.headers, options);
  if (!options.sha256.empty()) {
    what.payload_hash = encoding::hex(options.sha256);
    what.headers.emplace_back("x-amz-checksum-sha256", encoding::base64(options.sha256));
  } else if (options.crc32) {
    what.headers.emplace_back("x-amz-checksum-crc32", encoding::base64(big_endian(*options.crc32)));
  }
  what.once = options.only_new;
  what.body = std::move(content);
  auto answer = co_await requests_.ask(std::move(what));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  co_return stored{.tag = std::string(answer->head["etag"]), .version = std::string(answer->head["x-amz-version-id"])};
}

awaitable_result<stored> store::put_large(std::string bucket, std::string key, seekable_content content, put_options options) {
  if (auto wrong = key_problem(key); !wrong.empty()) co_return std::unexpected(invalid("Writing the object " + bucket + "/" + key, wrong));
  part_upload::target where{bucket, key};
  if (content.length > part_size_)
    co_return co_await part_upload(time_, requests_, where, std::move(content), std::move(options), part_size_).run();
  auto bytes = co_await read_bytes(content, 0, content.length);
  if (!bytes) co_return std::unexpected(std::move(bytes.error()));
  auto proof = proof_of(*bytes);
  options.sha256 = sha256(*bytes);
  auto ended = co_await put(bucket, key, http::text_upload(std::move(*bytes)), std::move(options));
  if (ended || !is_uncertain(ended.error())) co_return ended;
  co_return co_await check_stored(requests_, std::move(where), std::move(proof), std::move(ended.error()));
}

}  // namespace kopiur::blob::s3
