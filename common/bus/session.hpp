#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/bus/connection.hpp"
#include "common/bus/wire.hpp"
#include "common/json/value.hpp"

namespace kopiur::bus {

/// Receives what arrives for one pull consumer from the session, on the loop.
class puller {
 public:
  virtual ~puller() = default;
  virtual void arrived(message, wire::ack_subject const&) = 0;
  /// `generation` is the one the pull was sent with.
  virtual void status(wire::pull_status const&, unsigned generation) = 0;
  virtual void connected() = 0;
  virtual void disconnected() = 0;
  virtual void nobody_there() = 0;
  virtual void second() = 0;
  /// Requested messages that have not arrived. Among several pullers of one consumer, the one with the most gets the message.
  virtual int asked() const = 0;
};

/// A connection that speaks JetStream: it retries requests and routes each delivery to its puller. Shared by a port and its workers, feeds
/// and listeners, which may outlive the port.
class session : public std::enable_shared_from_this<session> {
 public:
  using steady = connection::steady;
  session(asio::io_context& loop, nats_options options);
  session(session const&) = delete;
  ~session();

  connection& link() { return *link_; }
  nats_options const& options() const { return link_->options(); }

  /// Sends a request below `$JS.API.` and returns the answer; retries while there is none, up to the options' patience.
  asio::awaitable<wire::answer> ask(std::string what, std::string body);
  /// Waits for `attempt`'s backoff and for a connection. False when another try cannot help, or not before `deadline`.
  asio::awaitable<bool> again(error const& why, int attempt, steady::time_point deadline);
  steady::time_point deadline() const { return steady::now() + options().patience; }
  std::string next_id() { return id_prefix_ + std::to_string(++ids_); }

  /// Registers a puller; `key` is `<stream>.<consumer>`. Returns the puller's number.
  std::uint64_t enroll(std::string key, puller&);
  void withdraw(std::string const& key, std::uint64_t number);
  /// Sends one pull to `<stream>.<consumer>` for that puller.
  void pull(std::string const& key, std::uint64_t number, unsigned generation, int batch);
  void notice(std::string const& text) { options().notice(text); }

  /// Counts work that must end before the connection closes.
  void began() { ++busy_; }
  void ended();
  asio::awaitable<void> close();

 private:
  struct member {
    std::uint64_t number;
    puller* who;
  };
  connection_events events();
  void delivered(message);
  void deliver(message, wire::ack_subject const&);
  void tell_status(message const&);
  void each(void (puller::*told)());

  struct text_hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::shared_ptr<connection> link_;
  std::unordered_map<std::string, std::vector<member>, text_hash, std::equal_to<>> pullers_;
  std::uint64_t numbers_ = 0, ids_ = 0;
  std::string id_prefix_;
  int busy_ = 0;
  app::event idle_;
};

}  // namespace kopiur::bus
