#include "common/blob/azure/block_blobs.hpp"

#include <boost/asio.hpp>
#include <random>

#include "common/blob/azure/core/answers.hpp"
#include "common/blob/core/digest.hpp"
#include "common/blob/core/part_size.hpp"
#include "common/blob/counted_content.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob::azure {

struct block_blobs::upload {
  std::string container, name;
  seekable_content content;
  put_options options;

  request to_object(std::string action) const {
    request out{.action = std::move(action) + " " + container + "/" + name, .container = container, .name = name};
    if (!options.encryption_key.empty()) out.headers.emplace_back("x-ms-encryption-scope", options.encryption_key);
    return out;
  }
};

namespace {

/// Keeps the blocks of two uploads to one name apart.
std::string new_upload() {
  std::random_device luck;
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(luck() & 0xff);
  return encoding::hex(bytes);
}

stored read_stored(http::answer_head const& head) {
  return {.tag = std::string(head["etag"]), .version = std::string(head["x-ms-version-id"])};
}

}  // namespace

awaitable_result<stored> block_blobs::check_stored(upload const& what, std::string digest, error failed) {
  auto look = what.to_object("Comparing the object");
  look.method = "HEAD", look.headers.clear();
  auto head = co_await requests_.send(std::move(look));
  if (!head && head.error().kind == failure::absent) co_return std::unexpected(std::move(failed));
  if (head) {
    auto size = encoding::whole_number<std::uint64_t>((*head)["content-length"]);
    if (size == what.content.length && (*head)["content-md5"] == digest) co_return read_stored(*head);
  } else {
    failed.message += " An earlier attempt got no answer; whether it stored the object is unknown: " + head.error().message;
  }
  co_return std::unexpected(std::move(failed));
}

/// Sends the request that creates the object. `digest`: the MD5 of the content, which the store keeps with the object.
awaitable_result<stored> block_blobs::finish(upload const& what, request last, std::string digest) {
  last.headers.emplace_back("x-ms-blob-content-md5", digest);
  if (what.options.only_new) last.headers.emplace_back("If-None-Match", "*");
  if (!what.options.content_type.empty()) last.headers.emplace_back("x-ms-blob-content-type", what.options.content_type);
  auto head = co_await requests_.send(std::move(last));
  if (head) co_return read_stored(*head);
  if (!is_uncertain(head.error())) co_return std::unexpected(std::move(head.error()));
  co_return co_await check_stored(what, std::move(digest), std::move(head.error()));
}

awaitable_result<stored> block_blobs::put_small(upload const& what) {
  auto bytes = co_await read_bytes(what.content, 0, what.content.length);
  if (!bytes) co_return std::unexpected(std::move(bytes.error()));
  auto digest = encoding::base64(md5(*bytes));
  auto put = what.to_object("Writing the object");
  put.headers.emplace_back("x-ms-blob-type", "BlockBlob");
  put.body = std::move(*bytes);
  co_return co_await finish(what, std::move(put), std::move(digest));
}

awaitable_result<stored> block_blobs::put_blocks(upload const& what) {
  auto size = part_size(what.content.length, block_size_);
  auto upload = new_upload();
  digest_stream all(digest_stream::algorithm::md5);
  std::vector<std::string> ids;
  for (std::uint64_t begin = 0; begin < what.content.length; begin += size) {
    auto bytes = co_await read_bytes(what.content, begin, std::min(size, what.content.length - begin));
    if (!bytes) co_return std::unexpected(std::move(bytes.error()));
    all.add(*bytes);
    ids.push_back(block_id(upload, static_cast<int>(ids.size()) + 1));
    auto put = what.to_object("Writing block " + std::to_string(ids.size()) + " of");
    put.query = {{"comp", "block"}, {"blockid", ids.back()}};
    put.body = std::move(*bytes);
    if (auto sent = co_await requests_.send(std::move(put)); !sent) co_return std::unexpected(std::move(sent.error()));
  }
  auto list = what.to_object("Completing the object");
  list.query = {{"comp", "blocklist"}};
  list.body = block_list_xml(ids);
  co_return co_await finish(what, std::move(list), encoding::base64(all.end()));
}

awaitable_result<stored> block_blobs::put_large(std::string container, std::string name, seekable_content content, put_options options) {
  upload what{std::move(container), std::move(name), std::move(content), std::move(options)};
  if (what.content.length <= block_size_) co_return co_await put_small(what);
  co_return co_await put_blocks(what);
}

awaitable_result<object_content> block_blobs::get(std::string container, std::string name) {
  auto action = "Reading the object " + container + "/" + name;
  request what{.action = action, .method = "GET", .container = std::move(container), .name = std::move(name)};
  auto answer = co_await requests_.ask(std::move(what));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  auto head = head_of(answer->head, "x-ms-version-id");
  auto length = head.size;
  co_return counted_content(std::move(*answer), std::move(head), length, std::move(action));
}

}  // namespace kopiur::blob::azure
