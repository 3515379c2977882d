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

/// Who pulls from a consumer, as the session tells it what comes. On the loop.
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
  /// How much of its credit is still to come: among several of one consumer the neediest gets the message.
  virtual int asked() const = 0;
};

/// A connection that speaks JetStream: requests that are tried again, and the way of each delivery to who pulled it. Shared by a port and
/// the workers, feeds and listeners that it made, for they may outlive it.
class session : public std::enable_shared_from_this<session> {
 public:
  using steady = connection::steady;
  session(asio::io_context& loop, nats_options options);
  session(session const&) = delete;
  ~session();

  connection& link() { return *link_; }
  nats_options const& options() const { return link_->options(); }

  /// An answer of JetStream's API below `$JS.API.`; tries again while nobody answers, up to the options' patience.
  asio::awaitable<wire::answer> ask(std::string what, std::string body);
  /// One more try is worth it before `deadline`: waits for a connection and for `attempt`'s backoff. False when time is up.
  asio::awaitable<bool> again(error const& why, int attempt, steady::time_point deadline);
  steady::time_point deadline() const { return steady::now() + options().patience; }
  std::string next_id() { return id_prefix_ + std::to_string(++ids_); }

  /// `key` is `<stream>.<consumer>`. Gives the puller's number.
  std::uint64_t enroll(std::string key, puller&);
  void withdraw(std::string const& key, std::uint64_t number);
  /// Sends one pull to `<stream>.<consumer>` for that puller.
  void pull(std::string const& key, std::uint64_t number, unsigned generation, int batch);
  void notice(std::string const& text) { options().notice(text); }

  /// Counts what must end before the connection closes.
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
