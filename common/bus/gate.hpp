#pragma once
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <cstdint>
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

/// Passes events from nats.c's callback thread to the loop. nats.c keeps a number, never the gate: its closed callback may come after a
/// connect that failed, when nobody waits for it.
class gate : public std::enable_shared_from_this<gate> {
 public:
  gate(asio::io_context& loop, std::weak_ptr<gate_events> events) : loop_(&loop), events_(std::move(events)) {}
  gate(gate const&) = delete;
  ~gate();

  /// Sets the callbacks in the options of a future connection. Call it once.
  void install(natsOptions*);
  /// Delivers no event from now on. With a connection, it returns after the closed callback, or after 5 s at most.
  void shut(bool connected);

 private:
  friend struct gate_callbacks;
  template <class Step>
  void post(Step step);
  void end(std::string const& why);

  std::mutex guard_;        // guards all members below, but not number_
  asio::io_context* loop_;  // null once shut
  std::weak_ptr<gate_events> events_;
  bool ended_ = false;
  std::condition_variable end_;
  std::uintptr_t number_ = 0;  // 0 until installed
};

}  // namespace kopiur::bus
