#include "common/blob/counted_content.hpp"

#include <boost/asio.hpp>

#include "common/blob/core/http_date.hpp"
#include "common/encoding/number.hpp"

namespace kopiur::blob {

namespace asio = boost::asio;

namespace {

struct rest {
  http_answer answer;
  std::string action;
  std::uint64_t left = 0;
};

awaitable_result<std::size_t> read_rest(std::shared_ptr<rest> from, asio::mutable_buffer buffer) {
  auto length = co_await from->answer.read(buffer);
  std::string why = length ? "The answer ended too early." : length.error();
  if (length && *length <= from->left && (*length > 0 || from->left == 0 || buffer.size() == 0)) {
    from->left -= *length;
    co_return *length;
  }
  co_return std::unexpected(error{.kind = failure::unavailable, .message = from->action + " failed: " + why});
}

}  // namespace

object_content counted_content(http_answer answer, object_head head, std::uint64_t length, std::string action) {
  object_content out{.head = std::move(head), .length = length};
  auto shared = std::make_shared<rest>(std::move(answer), std::move(action), length);  // by copies of the function
  out.read = [shared](asio::mutable_buffer buffer) { return read_rest(shared, buffer); };
  return out;
}

object_head head_of(http::answer_head const& from, std::string_view version_field) {
  return {.size = content_length(from),
          .tag = std::string(from["etag"]),
          .version = std::string(from[version_field]),
          .content_type = std::string(from["content-type"]),
          .modified = http_date(from["last-modified"])};
}

std::uint64_t content_length(http::answer_head const& from) {
  return encoding::whole_number<std::uint64_t>(from["content-length"]).value_or(0);
}

}  // namespace kopiur::blob
