#include "common/blob/transport.hpp"

#include <boost/asio.hpp>

namespace kopiur::blob {

namespace asio = boost::asio;

namespace {

asio::awaitable<std::expected<http_answer, std::string>> ask(http::pool& connections, http::streamed_request what) {
  auto got = co_await connections.ask(std::move(what));
  if (!got) co_return std::unexpected(std::move(got.error()));
  auto shared = std::make_shared<http::download>(std::move(*got));  // by copies of the function
  co_return http_answer{.head = shared->head(), .read = [shared](asio::mutable_buffer buffer) { return shared->read(buffer); }};
}

}  // namespace

transport over(http::pool& connections) {
  return [&connections](http::streamed_request what) { return ask(connections, std::move(what)); };
}

asio::awaitable<std::expected<std::string, std::string>> text_of(http_answer& from, std::size_t longest) {
  std::string all, piece(16 << 10, 0);
  for (;;) {
    auto length = co_await from.read(asio::buffer(piece));
    if (!length) co_return std::unexpected(std::move(length.error()));
    if (*length == 0) co_return all;
    all.append(piece, 0, *length);
    if (all.size() > longest) co_return std::unexpected("The answer is longer than " + std::to_string(longest) + " bytes.");
  }
}

}  // namespace kopiur::blob
