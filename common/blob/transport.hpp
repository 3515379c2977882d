#pragma once
#include <expected>
#include <functional>

#include "common/http/pool.hpp"

namespace kopiur::blob {

/// An HTTP answer, for a store's client.
struct http_answer {
  http::answer_head head;
  /// Fills the buffer, or its beginning at the end of the body; 0: no more. The error is a sentence.
  std::function<boost::asio::awaitable<std::expected<std::size_t, std::string>>(boost::asio::mutable_buffer)> read;
};
/// Sends a request and reads the answer's header. The error is a sentence: there was no answer. Throws what body.read throws.
using transport = std::function<boost::asio::awaitable<std::expected<http_answer, std::string>>(http::streamed_request)>;

/// The transport over a pool, which must outlive it.
transport over(http::pool& connections);
/// The rest of a body; a longer one is an error.
boost::asio::awaitable<std::expected<std::string, std::string>> text_of(http_answer& from, std::size_t longest);

}  // namespace kopiur::blob
