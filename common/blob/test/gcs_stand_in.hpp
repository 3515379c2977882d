#pragma once
#include <map>

#include "common/blob/core/digest.hpp"
#include "common/blob/gcs/objects.hpp"
#include "common/blob/test/scripted_transport.hpp"
#include "common/blob/test/text_content.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob::test {

/// Cloud Storage with one object, in memory, that loses and refuses what a test says. Its bucket is `box`.
class gcs_stand_in {
 public:
  enum class fault { none, lost_request, lost_answer, busy, half };
  std::function<fault(int number)> trouble = [](int) { return fault::none; };  ///< of a request, from 1; half: only of a chunk
  std::optional<std::string> object;
  int generation = 0, cancelled = 0;
  std::vector<heard> requests;

  transport port() {
    return [this](http::streamed_request what) { return answer(*this, std::move(what)); };
  }

 private:
  static awaitable<std::expected<http_answer, std::string>> answer(gcs_stand_in& self, http::streamed_request what) {
    std::string body(what.body.length, 0);
    for (std::size_t had = 0; had < body.size();) had += co_await what.body.read(asio::buffer(body.data() + had, body.size() - had));
    self.requests.push_back({what, body});
    auto now = self.trouble(static_cast<int>(self.requests.size()));
    if (now == fault::lost_request) co_return std::unexpected("the connection broke.");
    auto said = now == fault::busy ? scripted{.status = 503} : self.perform(self.requests.back(), now == fault::half);
    if (now == fault::lost_answer) co_return std::unexpected("the answer broke off.");
    script once({said});
    what.body = {};
    co_return co_await once.port()(std::move(what));
  }

  scripted perform(heard const& what, bool half) {
    auto& target = what.request.where.target;
    if (what.request.method == "GET") return object ? resource() : scripted{.status = 404};
    if (what.request.method == "DELETE") return ++cancelled, session_.reset(), scripted{.status = 499};
    if (target.contains("upload_id=s1")) return session_ ? chunk(what, half) : completed_ ? resource() : scripted{.status = 410};
    only_new_ = target.contains("ifGenerationMatch=0");
    if (only_new_ && object) return {.status = 412};
    if (target.contains("uploadType=multipart")) return store(between(what.body, "\r\n\r\n", "\r\n--", 2));
    session_ = "", completed_ = false;
    return {.fields = {{"location", "https://elsewhere.example/upload/storage/v1/b/box/o?uploadType=resumable&upload_id=s1"}}};
  }
  scripted chunk(heard const& what, bool half) {
    auto range = what.header("Content-Range");
    auto whole = encoding::whole_number<std::size_t>(range.substr(range.find('/') + 1)).value();
    if (!range.starts_with("bytes */")) {
      EXPECT_TRUE(range.starts_with("bytes " + std::to_string(session_->size()) + "-")) << range << " after " << session_->size();
      session_->append(what.body, 0, half ? what.body.size() / 2 : what.body.size());
    }
    if (session_->size() == whole) return completed_ = true, store(std::exchange(session_, std::nullopt).value());
    if (session_->empty()) return {.status = 308};
    return {.status = 308, .fields = {{"range", "bytes=0-" + std::to_string(session_->size() - 1)}}};
  }
  scripted store(std::string content) {
    if (only_new_ && object) return {.status = 412};
    object = std::move(content), ++generation;
    return resource();
  }
  scripted resource() const {
    return {.body = R"({"size":")" + std::to_string(object->size()) + R"(","generation":")" + std::to_string(generation) +
                    R"(","etag":"t","md5Hash":")" + encoding::base64(md5(*object)) + "\"}"};
  }
  static std::string between(std::string const& text, std::string_view begin, std::string_view end, int count) {
    std::size_t position = 0;
    for (int i = 0; i < count; ++i) position = text.find(begin, position) + begin.size();
    return text.substr(position, text.find(end, position) - position);
  }

  std::optional<std::string> session_;
  bool completed_ = false, only_new_ = false;
};

inline awaitable_result<std::string> known(std::string token) { co_return token; }

inline gcs::options gcs_options(std::string endpoint = "https://storage.googleapis.com") {
  gcs::options out{.endpoint = std::move(endpoint)};
  out.tokens = [] { return known("hunter2-token"); }, out.chunk_size = 4;
  return out;
}

inline void expect_sentence(error const& failed) {
  EXPECT_TRUE(failed.message.ends_with('.') && !failed.message.contains("hunter2") && !failed.message.contains("s1")) << failed.message;
}

/// Writes `box/a/k 1` over the port.
inline result<stored> put_object(transport port, std::string const& text, gcs::options options = gcs_options(),
                                 put_options how_stored = {.only_new = true}) {
  still_clock time;
  result<stored> ended;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    gcs::objects objects(time, port, options);
    ended = co_await objects.put_large("box", "a/k 1", content(text, 3), how_stored);
  });
  if (!ended) expect_sentence(ended.error());
  return ended;
}

}  // namespace kopiur::blob::test
