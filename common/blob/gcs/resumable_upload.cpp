#include "common/blob/gcs/resumable_upload.hpp"

#include <boost/asio.hpp>

#include "common/blob/abort.hpp"

namespace kopiur::blob::gcs {

namespace asio = boost::asio;

request upload::begin(std::string type) const {
  request out{
      .action = "Writing the object " + bucket + "/" + key, .method = "POST", .target = upload_path(bucket), .about = subject::bucket};
  out.query = {{"uploadType", std::move(type)}, {"name", key}};
  if (options.only_new) out.query.emplace_back("ifGenerationMatch", "0");
  if (!options.encryption_key.empty()) out.query.emplace_back("kmsKeyName", options.encryption_key);
  return out;
}

request resumable_upload::to_session(std::string action, std::string method) const {
  return {.action = std::move(action) + " " + what_.bucket + "/" + what_.key,
          .method = std::move(method),
          .target = session_,
          .about = subject::session};
}

/// An answer that is lost leaves a session without content, which nobody knows and which costs nothing.
awaitable_result<void> resumable_upload::begin() {
  auto ask = what_.begin("resumable");
  auto action = ask.action;
  ask.headers = {{"Content-Type", "application/json; charset=UTF-8"}};
  ask.body = metadata_json(what_.md5, what_.options.content_type);
  auto answer = co_await through_.read(std::move(ask));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  session_ = session_target(answer->head["location"]);
  if (session_.empty()) co_return std::unexpected(requests::malformed(action, "its Location names no upload"));
  co_return result<void>();
}

awaitable_result<resumable_upload::step> resumable_upload::send(request what) {
  auto action = what.action;
  what.once = true;
  auto answer = co_await through_.read(std::move(what));
  if (!answer) {
    auto failed = std::move(answer.error());
    failed.repeated = std::exchange(lost_, lost_ || may_have_taken_effect(failed));
    co_return std::unexpected(std::move(failed));
  }
  if (answer->head.status != 308) co_return accepted(what_, action, answer->text);
  auto has = received_bytes(answer->head["range"]);
  if (!has || *has < offset_ || *has > what_.content.length)
    co_return std::unexpected(requests::malformed(action, "its Range does not fit what was sent"));
  offset_ = *has;
  co_return step();
}

awaitable_result<resumable_upload::step> resumable_upload::send_chunk() {
  auto length = std::min(through_.settings().chunk_size, what_.content.length - offset_);
  auto bytes = co_await read_bytes(what_.content, offset_, length);
  if (!bytes) co_return std::unexpected(std::move(bytes.error()));
  auto put = to_session("Writing the bytes from " + std::to_string(offset_) + " of", "PUT");
  put.headers = {{"Content-Range", content_range(offset_, length, what_.content.length)}};
  put.body = std::move(*bytes);
  completing_ = completing_ || offset_ + length == what_.content.length;
  co_return co_await send(std::move(put));
}

/// Asks how much the store has.
awaitable_result<resumable_upload::step> resumable_upload::look() {
  auto put = to_session("Resuming the upload of", "PUT");
  put.headers = {{"Content-Range", content_range(0, 0, what_.content.length)}};
  co_return co_await send(std::move(put));
}

awaitable_result<stored> resumable_upload::send_all() {
  bool asks = false;
  for (int failures = 0;;) {
    auto before = offset_;
    auto done = asks ? co_await look() : co_await send_chunk();
    if (done && *done) co_return std::move(**done);
    if (!done && done.error().kind != failure::unavailable) co_return std::unexpected(std::move(done.error()));
    bool told = std::exchange(asks, !done) && done;
    if (offset_ > before) failures = 0;
    if (offset_ > before || told) continue;
    auto failed = done
                      ? error{.kind = failure::unavailable, .message = "The store takes no more of " + what_.bucket + "/" + what_.key + "."}
                      : std::move(done.error());
    if (++failures >= through_.settings().attempts) co_return std::unexpected(std::move(failed));
    co_await through_.pause(failures, session_);
  }
}

asio::awaitable<void> resumable_upload::abort() { co_await through_.read(to_session("Cancelling the upload of", "DELETE")); }

awaitable_result<stored> resumable_upload::run() {
  if (auto begun = co_await begin(); !begun) co_return std::unexpected(std::move(begun.error()));
  // Cancelled before the comparison: after that the store completes it no more.
  auto ended = co_await or_abort(through_.time(), send_all(), [this] { return abort(); });
  if (ended || !completing_ || !is_uncertain(ended.error())) co_return ended;
  co_return co_await check_stored(through_, what_, std::move(ended.error()));
}

result<stored> accepted(upload const& what, std::string const& action, std::string_view answer) {
  auto read = read_resource(answer);
  if (!read) return std::unexpected(requests::malformed(action, read.error()));
  if (read->size != what.content.length || (!read->md5.empty() && read->md5 != what.md5))
    return std::unexpected(error{.kind = failure::other,
                                 .status = 200,
                                 .message = action +
                                            " failed: the store has another content than was sent. Delete the object, and upload it "
                                            "again."});
  return stored{.tag = std::move(read->tag), .version = std::move(read->generation)};
}

awaitable_result<stored> check_stored(requests& through, upload const& what, error failed) {
  request look{.action = "Comparing the object " + what.bucket + "/" + what.key, .target = object_path(what.bucket, what.key)};
  auto answer = co_await through.read(std::move(look));
  if (!answer && answer.error().kind == failure::absent) co_return std::unexpected(std::move(failed));
  auto found = answer ? read_resource(answer->text) : std::unexpected(answer.error().message);
  if (!found) {
    failed.message += " An earlier attempt got no answer; whether it stored the object is unknown: " + found.error();
    if (!failed.message.ends_with('.')) failed.message += '.';
  } else if (found->size == what.content.length && found->md5 == what.md5) {
    co_return stored{.tag = std::move(found->tag), .version = std::move(found->generation)};
  }
  co_return std::unexpected(std::move(failed));
}

}  // namespace kopiur::blob::gcs
