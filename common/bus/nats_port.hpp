#pragma once
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "common/bus/administration.hpp"
#include "common/bus/nats_options.hpp"
#include "common/bus/port.hpp"

namespace kopiur::bus {

class session;

/// The bus over NATS JetStream. One loop, one thread: every call, and the destructor, runs on the loop that it was opened with.
class nats_port final : public port, public administration {
 public:
  /// Connects, waits for a server that is not up yet (bounded by the options), and refuses one that is too old or has no JetStream. The
  /// error is a sentence for the user. Afterwards it reconnects forever, unless the server refuses the login twice in a row.
  static asio::awaitable<result<std::unique_ptr<nats_port>>> open(asio::io_context& loop, nats_options options);
  /// Opens a port, runs `body` with it, and closes it on every exit; rethrows what `body` threw. The error: the port could not be opened.
  static asio::awaitable<result<void>> with(asio::io_context& loop, nats_options options,
                                            std::function<asio::awaitable<void>(nats_port&)> body);
  /// Blocks for half a second, or up to 2 s while it reconnects, and drops unsent messages, unless close() was awaited before.
  ~nats_port() override;

  asio::awaitable<result<receipt>> publish(publication) override;
  void tell(std::string subject, std::string body, headers head = {}) override;
  asio::awaitable<result<std::optional<stored>>> last(std::string stream, std::string subject) override;
  asio::awaitable<result<std::optional<stored>>> at(std::string stream, std::uint64_t sequence) override;
  asio::awaitable<result<bool>> erase(std::string stream, std::uint64_t sequence) override;
  std::unique_ptr<worker> work(std::string stream, std::string durable, int window) override;
  std::unique_ptr<feed> follow(std::string stream, std::vector<std::string> filters) override;
  std::unique_ptr<listener> listen(std::string subject) override;
  asio::awaitable<result<stream_info>> ensure(stream_config) override;
  asio::awaitable<result<void>> ensure(consumer_config) override;
  asio::awaitable<result<stream_info>> info(std::string stream) override;
  asio::awaitable<result<stream_size>> size(std::string stream) override;
  asio::awaitable<result<consumer_state>> consumer(std::string stream, std::string name) override;
  asio::awaitable<result<void>> remove_consumer(std::string stream, std::string name) override;

  /// Sends what is unsent (acks, dead letters), then closes. Pending calls fail with `closed`; workers and feeds wait forever.
  asio::awaitable<void> close();
  /// Returns when the connection is closed for good, with the server's reason; empty after close(). The process should then end.
  asio::awaitable<std::string> until_closed();

 private:
  explicit nats_port(std::shared_ptr<session> session) : session_(std::move(session)) {}
  std::shared_ptr<session> session_;  // shared with its workers, feeds and listeners, which may outlive this
};

}  // namespace kopiur::bus
