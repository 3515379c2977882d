#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <cstdint>
#include <functional>
#include <string>

namespace kopiur::http {

/// The body of a request, in pieces.
struct upload {
  std::uint64_t length = 0;
  /// Fills the beginning of the buffer and returns how many bytes it wrote; 0: there are no more, which is an error before `length`. It may
  /// throw: the request then ends with that exception. Empty: no body.
  std::function<boost::asio::awaitable<std::size_t>(boost::asio::mutable_buffer)> read{};
  /// Starts again at the first byte; empty: the body can be sent only once.
  std::function<void()> rewind{};
};

/// A text as a body; it can be sent again.
upload text_upload(std::string text);

}  // namespace kopiur::http
