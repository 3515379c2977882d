#include "common/http/upload.hpp"

#include <memory>

namespace kopiur::http {

namespace asio = boost::asio;

namespace {

struct cursor {
  std::string text;
  std::size_t sent = 0;
};

asio::awaitable<std::size_t> next(std::shared_ptr<cursor> from, asio::mutable_buffer buffer) {
  auto length = asio::buffer_copy(buffer, asio::buffer(from->text) + from->sent);
  from->sent += length;
  co_return length;
}

}  // namespace

upload text_upload(std::string text) {
  auto shared = std::make_shared<cursor>(std::move(text));  // by the two functions
  return {.length = shared->text.size(),
          .read = [shared](asio::mutable_buffer buffer) { return next(shared, buffer); },
          .rewind = [shared] { shared->sent = 0; }};
}

}  // namespace kopiur::http
