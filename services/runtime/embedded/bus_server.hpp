#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <string>

#include "common/log/log.hpp"
#include "common/time/clock.hpp"

namespace kopiur::embedded {

/// How to reach the bus of a data folder: `<data>/bus/access.json`, readable only by its owner.
struct bus_access {
  std::string url, user, password;
};
/// Reads it; the error is a sentence (kopiur is not running, or another user owns the folder).
std::expected<bus_access, std::string> read_access(std::string const& data);

/// The path of nats-server: KOPIUR_NATS_SERVER, else from PATH; the error says how to get it.
std::expected<std::string, std::string> find_bus_server();

/// nats-server as a child of this process: on 127.0.0.1, with a user and password of this start, its store in the data folder. It dies with
/// this process, even on SIGKILL; messages that it acknowledged are in its store.
class bus_server {
 public:
  /// Prepares the folder: a free port, a new password, the configuration. Throws std::runtime_error with a sentence.
  bus_server(clock& time, boost::asio::any_io_executor loop, std::string data, std::string program);

  bus_access const& access() const { return access_; }
  /// Keeps the server running: after it ends, it is restarted at once, then with growing pauses. Ends by cancellation, which stops the
  /// server.
  boost::asio::awaitable<void> run();

 private:
  void write_files();

  clock& time_;
  boost::asio::any_io_executor loop_;
  std::string folder_, program_;
  bus_access access_;
  int port_ = 0;
  log::logger log_{"bus"};
};

}  // namespace kopiur::embedded
