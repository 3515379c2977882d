#pragma once
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

typedef struct __natsOptions natsOptions;

namespace kopiur::bus {

namespace asio = boost::asio;

/// What nats.c has to say, told on the loop.
class gate_events {
 public:
  virtual ~gate_events() = default;
  virtual void lost() = 0;
  virtual void said(std::string const& error) = 0;
  /// The last of this natsConnection.
  virtual void ended(std::string const& why) = 0;
};

/// The way of nats.c's callback thread to the loop. From a successful connect to the closed callback, which is the last, it keeps itself
/// alive: neither the connection nor the loop need outlive nats.c's thread.
class gate {
 public:
  gate(asio::io_context& loop, std::weak_ptr<gate_events> to) : loop_(&loop), to_(std::move(to)) {}

  /// Puts the callbacks into the options of a connection to come.
  void install(natsOptions*);
  /// Before connecting: keeps itself alive from now on; false afterwards, when there is no connection that has a last word.
  static void keep(std::shared_ptr<gate> const& self, bool alive);
  /// From now on nothing is told; returns when nats.c said its last word, after 5 s at most, where there is a connection.
  void shut(bool connected);

 private:
  friend struct gate_callbacks;
  template <class Step>
  void post(Step step);

  std::mutex guard_;        // of all below
  asio::io_context* loop_;  // null once shut
  std::weak_ptr<gate_events> to_;
  std::shared_ptr<gate> self_;
  bool ended_ = false;
  std::condition_variable end_;
};

}  // namespace kopiur::bus
