#pragma once
#include <boost/asio.hpp>
#include <string>

#include "common/blob/store.hpp"

namespace kopiur::blob::test {

inline boost::asio::awaitable<std::size_t> read_text(std::string const& text, std::uint64_t offset, boost::asio::mutable_buffer buffer,
                                                     std::size_t most) {
  co_return boost::asio::buffer_copy(buffer, boost::asio::buffer(text) + offset, most);
}

/// A text as a content, read in pieces of at most `most` bytes. The text outlives it.
inline seekable_content content(std::string const& text, std::size_t most = std::string::npos) {
  return {.length = text.size(),
          .read = [&text, most](std::uint64_t offset, boost::asio::mutable_buffer into) { return read_text(text, offset, into, most); }};
}

/// So many bytes that repeat nowhere near the size of a part.
inline std::string sample(std::size_t length, std::uint32_t seed) {
  std::string out(length, 0);
  for (auto& each : out) seed = seed * 1664525U + 1013904223U, each = static_cast<char>(seed >> 24);
  return out;
}

}  // namespace kopiur::blob::test
