#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <expected>
#include <functional>
#include <string>

#include "common/bus/nats_options.hpp"
#include "common/bus/nkey.hpp"
#include "common/log/log.hpp"
#include "common/time/clock.hpp"

namespace kopiur::embedded {

/// How to reach the bus of a data folder: `<data>/bus/access.json`, readable only by its owner. Another one at each start of the server:
/// its old port may belong to a stranger by now, whom no client calls, and who gets no login that is still good.
struct bus_access {
  std::string url;         ///< empty while the server is being started
  std::string nkey, seed;  ///< the server is shown a signature, never the seed
};
/// Puts them into the options; a sentence while the server is being started.
std::string use(bus_access const&, bus::nats_options&);
/// Reads it; the error is a sentence (kopiur is not running, or another user owns the folder).
std::expected<bus_access, std::string> read_access(std::string const& data);

/// The path of nats-server: KOPIUR_NATS_SERVER, else from PATH; the error says how to get it.
std::expected<std::string, std::string> find_bus_server();

/// Bytes for the streams of an embedded server.
inline constexpr std::int64_t usual_store = 20'000'000'000;

/// nats-server as a child of this process: on 127.0.0.1, its store in the data folder. It dies with this process, even on SIGKILL; messages
/// that it acknowledged are on the disk.
class bus_server {
 public:
  /// Prepares the folder. Throws std::runtime_error with a sentence.
  /// `store`: the bytes that its streams may take.
  bus_server(clock& time, boost::asio::any_io_executor loop, std::string data, std::string program, std::int64_t store = usual_store);

  bus_server(bus_server const&) = delete;
  ~bus_server();

  /// Where clients of this process find it; valid as long as this object.
  std::function<std::string(bus::nats_options&)> locate() const;
  /// Keeps the server running: after it ends, it is restarted at once, then with growing pauses, each time on a port of the kernel's choice
  /// and with a new login. Clients learn them only once this server listens there. Ends by cancellation, which stops the server.
  boost::asio::awaitable<void> run();

 private:
  void write_config(bus::nkey const& login);
  void publish(bus_access);
  void withdraw();
  void told_or_thrown(std::exception_ptr problem) const;
  boost::asio::awaitable<void> serve_once();
  boost::asio::awaitable<void> announce(bus::nkey login, pid_t server);

  clock& time_;
  boost::asio::any_io_executor loop_;
  std::string folder_, program_;
  bus_access access_;
  std::int64_t store_;
  bool has_run_ = false;
  log::logger log_{"bus"};
};

}  // namespace kopiur::embedded
