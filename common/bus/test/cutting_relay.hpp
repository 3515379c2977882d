#pragma once
#include <boost/asio.hpp>
#include <cstdint>
#include <list>
#include <string>

#include "common/app/async.hpp"

namespace kopiur::bus::conformance {

namespace asio = boost::asio;

/// A proxy in front of a real server on 127.0.0.1, which cuts a connection in the middle of the server's data.
class cutting_relay {
 public:
  cutting_relay(asio::io_context& loop, std::uint16_t server);
  std::string url() const { return "nats://127.0.0.1:" + std::to_string(door_.local_endpoint().port()); }
  /// Once: when the server next sends `mark`, only that and `beyond` bytes more pass. `mark` must arrive in one piece.
  void cut_after(std::string mark, std::size_t beyond);
  /// True once it has cut.
  bool has_cut() const { return mark_.empty(); }
  /// Runs until it is cancelled.
  asio::awaitable<void> run();

 private:
  using socket = asio::ip::tcp::socket;
  asio::awaitable<void> serve(socket client);
  asio::awaitable<void> ask(socket& client, socket& server);
  asio::awaitable<void> answer(socket& server, socket& client);
  std::size_t let_through(std::string_view piece);

  asio::ip::tcp::acceptor door_;
  std::uint16_t server_;
  std::string mark_;
  std::size_t beyond_ = 0;
  bool marked_ = false;
};

}  // namespace kopiur::bus::conformance
