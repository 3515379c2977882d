#pragma once
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>

typedef struct __natsOptions natsOptions;

namespace kopiur::bus {

namespace asio = boost::asio;

/// The events of nats.c, delivered on the loop.
class gate_events {
 public:
  virtual ~gate_events() = default;
  virtual void lost() = 0;
  virtual void said(std::string const& error) = 0;
  /// The last event of this natsConnection.
  virtual void ended(std::string const& why) = 0;
};

/// Passes events from nats.c's callback thread to the loop. It keeps itself alive from a successful connect until the closed callback,
/// which is the last one. So neither the connection nor the loop has to outlive nats.c's thread.
class gate {
 public:
  gate(asio::io_context& loop, std::weak_ptr<gate_events> events) : loop_(&loop), events_(std::move(events)) {}

  /// Sets the callbacks in the options of a future connection.
  void install(natsOptions*);
  /// True before connecting: it keeps itself alive from now on. False afterwards, when no connection exists that will call the closed
  /// callback.
  static void keep(std::shared_ptr<gate> const& self, bool alive);
  /// Delivers no event from now on. With a connection, it returns after the closed callback, or after 5 s at most.
  void shut(bool connected);

 private:
  friend struct gate_callbacks;
  template <class Step>
  void post(Step step);

  std::mutex guard_;        // guards all members below
  asio::io_context* loop_;  // null once shut
  std::weak_ptr<gate_events> events_;
  std::shared_ptr<gate> self_;
  bool ended_ = false;
  std::condition_variable end_;
};

}  // namespace kopiur::bus
