#include <boost/asio.hpp>

#include "common/blob/store.hpp"

namespace kopiur::blob {

namespace asio = boost::asio;

awaitable_result<std::string> read_bytes(seekable_content const& content, std::uint64_t offset, std::uint64_t length) {
  std::string bytes(length, 0);
  for (std::uint64_t had = 0; had < length;) {
    auto more = co_await content.read(offset + had, asio::buffer(bytes.data() + had, length - had));
    if (more == 0) co_return std::unexpected(error{.kind = failure::invalid, .message = "The content is shorter than its length says."});
    had += more;
  }
  co_return bytes;
}

}  // namespace kopiur::blob
