#pragma once
#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <deque>

#include "common/blob/s3/store.hpp"
#include "common/testing/run.hpp"

/// Answers that a test writes by hand, and a clock that only moves when somebody sleeps.
namespace kopiur::blob::test {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

class still_clock final : public clock {
 public:
  instant now() const override { return now_; }
  asio::awaitable<void> sleep_until(instant when) override { co_await sleep_for(when - now_); }
  asio::awaitable<void> sleep_for(duration length) override {
    slept.push_back(length);
    now_ += length;
    co_return;
  }
  duration steady() const override { return now_.time_since_epoch(); }
  std::vector<duration> slept;

 private:
  instant now_ = instant_from("2026-11-21T06:00:00Z").value();
};

/// An answer, or why there is none.
struct scripted {
  int status = 200;
  std::string body{};
  std::vector<std::pair<std::string, std::string>> fields{};
  bool reads_body = true;  ///< of the request, before it answers
  std::string no_answer{};
};

/// What was asked.
struct heard {
  http::streamed_request request;
  std::string body;
  std::string header(std::string_view name) const {
    for (auto& [each, value] : request.headers)
      if (each == name) return value;
    return "";
  }
};

class script {
 public:
  explicit script(std::deque<scripted> answers) : answers_(std::move(answers)) {}
  transport port() {
    return [this](http::streamed_request what) { return answer(*this, std::move(what)); };
  }
  bool is_over() const { return answers_.empty(); }
  std::vector<heard> requests;

 private:
  static awaitable<std::expected<http_answer, std::string>> answer(script& self, http::streamed_request what) {
    if (self.answers_.empty()) throw std::logic_error("there is no answer left to " + what.method + " " + what.where.target);
    auto now = std::move(self.answers_.front());
    self.answers_.pop_front();
    std::string body(what.body.length, 0);
    if (what.body.read && now.reads_body && !body.empty()) body.resize(co_await what.body.read(asio::buffer(body)));
    self.requests.push_back({what, body});
    if (!now.no_answer.empty()) co_return std::unexpected(now.no_answer);
    auto left = std::make_shared<std::string>(now.body);
    auto read = [left](asio::mutable_buffer buffer) { return take(left, buffer); };
    co_return http_answer{.head = {.status = now.status, .fields = now.fields}, .read = read};
  }
  static awaitable<std::expected<std::size_t, std::string>> take(std::shared_ptr<std::string> left, asio::mutable_buffer buffer) {
    auto length = asio::buffer_copy(buffer, asio::buffer(*left));
    left->erase(0, length);
    co_return length;
  }
  std::deque<scripted> answers_;
};

inline s3::options options_of(std::string endpoint = "https://s3.us-east-1.amazonaws.com") {
  return {.endpoint = std::move(endpoint), .identity = [] { return s3::credentials{"AKIDEXAMPLE", "hunter2-secret", ""}; }};
}

/// Runs `use` with a store that gets these answers; all of them must be used.
template <class Use>
std::vector<heard> with_script(std::deque<scripted> answers, Use use, s3::options options = options_of()) {
  script lines(std::move(answers));
  still_clock time;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    s3::store store(time, lines.port(), options);
    co_await use(store, time);
  });
  EXPECT_TRUE(lines.is_over());
  return std::move(lines.requests);
}

inline std::string error_xml(std::string code, std::string more = "") {
  return "<Error><Code>" + code + "</Code><Message>They say so.</Message><RequestId>r1</RequestId>" + more + "</Error>";
}

}  // namespace kopiur::blob::test
