#pragma once
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <exception>
#include <optional>

#include "common/app/async.hpp"
#include "common/http/answer_head.hpp"
#include "common/http/messages.hpp"
#include "common/http/progress.hpp"
#include "common/http/upload.hpp"

namespace kopiur::http {

/// One request with its answer on a stream of bytes, both bodies in pieces. Beast's parsers stay behind it. Throws what the stream throws;
/// after that, and after a cancellation, the stream is unusable.
class streamed_call {
 public:
  /// Both outlive the call; `buffer` keeps what was received after the answer.
  streamed_call(byte_stream& peer, boost::beast::flat_buffer& buffer) : peer_(peer), buffer_(buffer) {}

  /// Sends the header, and reads the answer's.
  boost::asio::awaitable<void> start(wire_request head);
  /// Also sends the body, while it already reads: an answer that comes before the body was sent ends the sending. With `asks_first` it
  /// adds `Expect: 100-continue`, and waits for permission before the body. Throws what body.read throws.
  boost::asio::awaitable<void> start(wire_request head, upload& body, bool asks_first, progress& watched);
  answer_head head() const;
  /// At least one byte of the answer's body; 0 at its end.
  boost::asio::awaitable<std::size_t> more(boost::asio::mutable_buffer buffer);

  /// What had happened when start() failed.
  attempt_trace trace() const;
  /// Whether the answer was read to its end, and another call may follow. Not after the refusal of a large body: some servers have not read
  /// it, and take the rest for the next call.
  bool allows_another() const {
    return sent_ && parser_ && parser_->is_done() && parser_->keep_alive() && !(asks_first_ && parser_->get().result_int() >= 400);
  }

 private:
  boost::asio::awaitable<void> receive(progress* watched);
  boost::asio::awaitable<void> deliver(upload& body, bool asks_first, progress& watched);
  boost::asio::awaitable<void> send_pieces(upload& body, progress& watched);
  boost::asio::awaitable<std::size_t> from_source(upload& body, boost::asio::mutable_buffer buffer, progress& watched);

  byte_stream& peer_;
  boost::beast::flat_buffer& buffer_;
  std::optional<boost::beast::http::response_parser<boost::beast::http::buffer_body>> parser_;
  std::optional<app::event> permitted_;  // notified by `100 Continue`
  std::exception_ptr source_failure_;
  bool is_head_ = false, heard_ = false, touched_ = false, sent_ = false, asks_first_ = false;
};

}  // namespace kopiur::http
