#pragma once
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

typedef struct __natsConnection natsConnection;
typedef struct __natsOptions natsOptions;

namespace kopiur::bus {

namespace asio = boost::asio;

/// Does the socket I/O of one natsConnection on the loop (nats.c's "event loop" mode). nats.c calls back from any thread, mostly while it
/// holds its connection lock, so the callbacks only post. The pump keeps itself alive from the first attach to the detach. After retire(),
/// the loop may be destroyed before nats.c is done.
class socket_pump : public std::enable_shared_from_this<socket_pump> {
 public:
  using steady = std::chrono::steady_clock;
  /// `drain` is called on the loop after each read; the synchronous subscriptions then hold what arrived.
  socket_pump(asio::io_context& loop, std::function<void()> drain) : loop_(&loop), drain_(std::move(drain)) {}

  /// Sets this pump in the options of a future connection; false when nats.c refuses.
  bool install(natsOptions* options);
  /// Counts the bytes handed to nats.c since the last write, and writes from 16 KiB on, so that the server can work meanwhile. The rest is
  /// written at the end of the loop's current iteration. On the loop.
  void handed(std::size_t bytes);
  /// Shuts the socket down when nothing was read for that long: the read event then fails on the loop, and nats.c closes the connection.
  void sever_after(steady::duration silence);
  /// Posts and reads nothing from now on. On the loop.
  void retire();

 private:
  friend struct pump_callbacks;
  using descriptor = asio::posix::stream_descriptor;

  template <class Step>
  void post(Step step);
  void attach(natsConnection* connection, int fd);
  void detach();
  void open(natsConnection* connection, int fd);
  void forget_socket();
  void when(descriptor::wait_type ready, void (socket_pump::*act)());
  void take();
  void flush();
  void flush_again();

  std::mutex gate_;         // guards loop_ and self_ between nats.c's threads and the loop's
  asio::io_context* loop_;  // null once retired
  std::shared_ptr<socket_pump> self_;
  std::function<void()> drain_;
  natsConnection* connection_ = nullptr;
  std::unique_ptr<descriptor> socket_;
  std::atomic<std::thread::id> turn_;  // the thread in take(), which flushes at its end
  unsigned generation_ = 0;            // of the socket: handlers of an old one may still be queued
  std::atomic<bool> unsent_ = false;   // set by the thread that published, cleared on the loop
  bool waits_to_write_ = false;
  std::size_t handed_ = 0;  // bytes since the last write
  steady::time_point last_read_ = steady::now();
};

}  // namespace kopiur::bus
