#include "common/blob/checked_content.hpp"

#include <boost/asio.hpp>

#include "common/blob/core/digest.hpp"

namespace kopiur::blob {

namespace asio = boost::asio;

namespace {

struct checked {
  std::function<awaitable_result<std::size_t>(asio::mutable_buffer)> read;
  std::string md5, action;
  std::uint64_t left = 0;
  digest_stream all{digest_stream::algorithm::md5};
};

/// Checks with the last byte, so that nobody takes it before.
awaitable_result<std::size_t> read_checked(std::shared_ptr<checked> from, asio::mutable_buffer buffer) {
  auto length = co_await from->read(buffer);
  if (!length || *length == 0) co_return length;
  from->all.add({static_cast<char const*>(buffer.data()), *length});
  from->left -= *length;
  if (from->left > 0 || from->all.end() == from->md5) co_return length;
  co_return std::unexpected(error{.kind = failure::unavailable,
                                  .message = from->action + " failed: the content differs from its checksum. Read it again; if that fails "
                                                            "too, the object is damaged."});
}

}  // namespace

object_content checked_content(object_content content, std::string md5, std::string action) {
  if (md5.empty()) return content;
  auto shared = std::make_shared<checked>(std::move(content.read), std::move(md5), std::move(action), content.length);
  content.read = [shared](asio::mutable_buffer buffer) { return read_checked(shared, buffer); };
  return content;
}

}  // namespace kopiur::blob
