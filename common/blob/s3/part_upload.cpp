#include "common/blob/s3/part_upload.hpp"

#include <boost/asio.hpp>

#include "common/blob/abort.hpp"
#include "common/blob/core/digest.hpp"
#include "common/blob/core/part_size.hpp"
#include "common/blob/s3/store.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob::s3 {

namespace asio = boost::asio;

request part_upload::of_object(std::string action, std::string method) const {
  return {.action = std::move(action) + " " + where_.bucket + "/" + where_.key,
          .method = std::move(method),
          .bucket = where_.bucket,
          .key = where_.key};
}

/// An answer that is lost leaves an upload without parts, which nobody knows and which costs nothing.
awaitable_result<void> part_upload::begin() {
  auto what = of_object("Beginning an upload in parts of", "POST");
  auto action = what.action;
  what.query.emplace_back("uploads", "");
  what.headers.emplace_back("x-amz-checksum-algorithm", "SHA256");
  add_settings(what.headers, options_);
  what.body = http::text_upload("");
  what.payload_hash = encoding::hex(sha256(""));
  what.once = true;
  auto text = co_await through_.text(std::move(what));
  if (!text) co_return std::unexpected(std::move(text.error()));
  auto id = read_upload_id(*text);
  if (!id) co_return std::unexpected(requests::malformed(action, id.error()));
  id_ = std::move(*id);
  co_return result<void>();
}

awaitable_result<sent_part> part_upload::send(int number, std::string bytes) {
  auto what = of_object("Writing part " + std::to_string(number) + " of", "PUT");
  auto action = what.action;
  what.query = {{"partNumber", std::to_string(number)}, {"uploadId", id_}};
  sent_part part{.tag = {}, .sha256 = sha256(bytes)};
  what.payload_hash = encoding::hex(part.sha256);
  what.headers.emplace_back("x-amz-checksum-sha256", encoding::base64(part.sha256));
  what.body = http::text_upload(std::move(bytes));
  auto answer = co_await through_.ask(std::move(what));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  part.tag = answer->head["etag"];
  if (part.tag.empty()) co_return std::unexpected(requests::malformed(action, "it has no ETag"));
  co_return part;
}

awaitable_result<stored> part_upload::complete() {
  auto what = of_object("Completing the object", "POST");
  auto action = what.action;
  what.query = {{"uploadId", id_}};
  if (options_.only_new) what.headers.emplace_back("If-None-Match", "*");
  what.once = true;
  completing_ = true;
  auto answer = co_await through_.read(with_xml(std::move(what), completion_xml(parts_)));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  auto tag = read_completion(answer->text);
  if (tag) co_return stored{.tag = std::move(*tag), .version = std::string(answer->head["x-amz-version-id"])};
  auto failed = requests::malformed(action, tag.error());
  failed.repeated = true;  // it may have taken effect
  co_return std::unexpected(std::move(failed));
}

awaitable_result<stored> part_upload::send_all() {
  auto size = part_size(content_.length, part_size_);
  for (std::uint64_t begin = 0; begin < content_.length; begin += size) {
    auto bytes = co_await read_bytes(content_, begin, std::min(size, content_.length - begin));
    if (!bytes) co_return std::unexpected(std::move(bytes.error()));
    auto part = co_await send(static_cast<int>(parts_.size()) + 1, std::move(*bytes));
    if (!part) co_return std::unexpected(std::move(part.error()));
    parts_.push_back(std::move(*part));
  }
  co_return co_await complete();
}

asio::awaitable<void> part_upload::abort() {
  auto what = of_object("Aborting the upload of", "DELETE");
  what.query = {{"uploadId", id_}};
  co_await through_.text(std::move(what));
}

awaitable_result<stored> part_upload::run() {
  if (auto begun = co_await begin(); !begun) co_return std::unexpected(std::move(begun.error()));
  // Aborted before the comparison: after that the store completes it no more.
  auto ended = co_await or_abort(time_, send_all(), [this] { return abort(); });
  if (ended || !completing_ || !is_uncertain(ended.error())) co_return ended;
  co_return co_await check_stored(through_, where_, proof_of(content_.length, parts_), std::move(ended.error()));
}

awaitable_result<stored> check_stored(requests& through, part_upload::target where, content_proof ours, error failed) {
  request what{
      .action = "Comparing the object " + where.bucket + "/" + where.key, .method = "HEAD", .bucket = where.bucket, .key = where.key};
  what.headers.emplace_back("x-amz-checksum-mode", "ENABLED");
  auto answer = co_await through.ask(std::move(what));
  if (!answer && answer.error().kind == failure::absent) co_return std::unexpected(std::move(failed));
  auto found = sameness::unknown;
  if (answer) {
    auto& head = answer->head;
    auto size = encoding::whole_number<std::uint64_t>(head["content-length"]).value_or(0);
    found = compare(ours, {.size = size, .checksum = std::string(head["x-amz-checksum-sha256"]), .tag = std::string(head["etag"])});
    if (found == sameness::same) co_return stored{.tag = std::string(head["etag"]), .version = std::string(head["x-amz-version-id"])};
  }
  if (found == sameness::unknown)
    failed.message += " An earlier attempt got no answer; whether it stored the object is unknown" +
                      (answer ? std::string(", because the store has no checksum of it.") : ": " + answer.error().message);
  co_return std::unexpected(std::move(failed));
}

}  // namespace kopiur::blob::s3
