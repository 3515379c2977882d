#include "common/bus/test/cutting_relay.hpp"

#include <algorithm>
#include <array>

namespace kopiur::bus::conformance {

namespace {
asio::ip::tcp::endpoint here(std::uint16_t port) { return {asio::ip::address_v4::loopback(), port}; }
}  // namespace

cutting_relay::cutting_relay(asio::io_context& loop, std::uint16_t server) : door_(loop, here(0)), server_(server) {}

void cutting_relay::cut_after(std::string mark, std::size_t beyond) {
  mark_ = std::move(mark);
  beyond_ = beyond;
  marked_ = false;
}

asio::awaitable<void> cutting_relay::run() {
  app::nursery all(door_.get_executor());
  while (true) all.spawn(serve(co_await door_.async_accept(asio::use_awaitable)));
}

asio::awaitable<void> cutting_relay::serve(socket client) {
  socket server(door_.get_executor());
  try {
    co_await server.async_connect(here(server_), asio::use_awaitable);
    co_await app::first_of(ask(client, server), answer(server, client));
  } catch (boost::system::system_error const&) {  // one side closed: close the other
  }
}

asio::awaitable<void> cutting_relay::ask(socket& client, socket& server) {
  std::array<char, 65536> piece;
  while (true) {
    auto size = co_await client.async_read_some(asio::buffer(piece), asio::use_awaitable);
    co_await asio::async_write(server, asio::buffer(piece, size), asio::use_awaitable);
  }
}

asio::awaitable<void> cutting_relay::answer(socket& server, socket& client) {
  std::array<char, 65536> piece;
  while (true) {
    auto size = co_await server.async_read_some(asio::buffer(piece), asio::use_awaitable);
    auto through = let_through({piece.data(), size});
    co_await asio::async_write(client, asio::buffer(piece, through), asio::use_awaitable);
    if (through < size) co_return;
  }
}

/// How many bytes to pass on; fewer than all of them is the cut.
std::size_t cutting_relay::let_through(std::string_view piece) {
  if (mark_.empty()) return piece.size();
  auto from = marked_ ? 0 : piece.find(mark_);
  if (from == std::string_view::npos) return piece.size();
  if (!marked_) from += mark_.size();
  marked_ = true;
  auto more = std::min(beyond_, piece.size() - from);
  beyond_ -= more;
  if (from + more < piece.size()) mark_.clear();
  return from + more;
}

}  // namespace kopiur::bus::conformance
