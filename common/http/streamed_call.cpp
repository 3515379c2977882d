#include "common/http/streamed_call.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/beast/http/error.hpp>

namespace kopiur::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using boost::system::system_error;

namespace {

constexpr std::size_t piece = 64 << 10;           // the largest that is sent at a time
constexpr std::uint32_t header_limit = 64 << 10;  // of an answer
constexpr int interim_limit = 16;                 // answers 1xx before the final one

/// Waits until it is cancelled.
awaitable<void> never() {
  app::signal silence(co_await asio::this_coro::executor);
  co_await silence.wait();
}

}  // namespace

awaitable<void> streamed_call::start(wire_request head) {
  is_head_ = head.method() == beast::http::verb::head;
  co_await write(peer_, std::move(head));
  sent_ = true;
  co_await receive(nullptr);
}

awaitable<void> streamed_call::start(wire_request head, upload& body, bool asks_first, progress& watched) {
  is_head_ = head.method() == beast::http::verb::head;
  if (body.read) head.set(beast::http::field::content_length, std::to_string(body.length));
  asks_first_ = asks_first;
  if (asks_first) head.set(beast::http::field::expect, "100-continue");
  permitted_.emplace(co_await asio::this_coro::executor);
  co_await write_head(peer_, std::move(head));
  watched.made();
  sent_ = !body.read || body.length == 0;
  if (sent_)
    co_await receive(&watched);
  else
    co_await app::first_of(receive(&watched), deliver(body, asks_first, watched));
}

/// Reads up to the header of the final answer.
awaitable<void> streamed_call::receive(progress* watched) {
  for (int interim = 0; interim < interim_limit; ++interim) {
    auto& parser = parser_.emplace();
    parser.body_limit(boost::none);
    parser.header_limit(header_limit);
    if (is_head_) parser.skip(true);
    co_await read_header(peer_, buffer_, parser);
    heard_ = true;
    if (watched) watched->made();
    auto status = parser.get().result_int();
    if (status / 100 != 1 || status == 101) co_return;
    if (status == 100 && permitted_) permitted_->notify();
  }
  throw std::runtime_error("the server sends interim answers without end");
}

/// Never returns by itself: the answer decides, also when the peer takes no more of the body.
awaitable<void> streamed_call::deliver(upload& body, bool asks_first, progress& watched) {
  if (asks_first && permitted_->epoch() == 0)
    co_await app::first_of(permitted_->wait(0), watched.time().sleep_for(watched.limits().permission));
  try {
    co_await send_pieces(body, watched);
    sent_ = true;
  } catch (system_error const& failed) {  // the peer may have answered before it closed
    if (source_failure_ || failed.code() == asio::error::operation_aborted) throw;
  }
  co_await never();
}

awaitable<void> streamed_call::send_pieces(upload& body, progress& watched) {
  std::vector<char> buffer(std::min<std::uint64_t>(piece, body.length));
  for (auto left = body.length; left > 0;) {
    auto length = co_await from_source(body, asio::buffer(buffer.data(), std::min<std::uint64_t>(buffer.size(), left)), watched);
    asio::const_buffer part(buffer.data(), length);
    co_await peer_.write({&part, 1});
    watched.made();
    left -= length;
  }
}

awaitable<std::size_t> streamed_call::from_source(upload& body, asio::mutable_buffer buffer, progress& watched) {
  touched_ = true;
  watched.suspend();
  try {
    auto length = co_await body.read(buffer);
    if (length == 0) throw std::runtime_error("The body of the request is shorter than its length says.");
    watched.resume();
    co_return length;
  } catch (...) {
    if (!app::is_cancelled(std::current_exception())) source_failure_ = std::current_exception();
    throw;
  }
}

attempt_trace streamed_call::trace() const {
  return {.heard = heard_ || (parser_ && parser_->got_some()), .touched_body = touched_, .source_failure = source_failure_};
}

answer_head streamed_call::head() const {
  auto& in = parser_->get();
  answer_head out{.status = static_cast<int>(in.result_int()), .fields = {}};
  for (auto const& each : in) {
    std::string name(each.name_string());
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    out.fields.emplace_back(std::move(name), std::string(each.value()));
  }
  return out;
}

awaitable<std::size_t> streamed_call::more(asio::mutable_buffer buffer) {
  auto& body = parser_->get().body();
  for (std::size_t length = 0; length == 0;) {
    if (parser_->is_done()) co_return 0;
    body.data = buffer.data(), body.size = buffer.size();
    auto failed = co_await read_some(peer_, buffer_, *parser_);
    if (failed && failed != beast::http::error::need_buffer) throw system_error(failed);
    length = buffer.size() - body.size;
    if (length > 0) co_return length;
  }
  co_return 0;
}

}  // namespace kopiur::http
