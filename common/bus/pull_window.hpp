#pragma once
#include <algorithm>
#include <chrono>
#include <functional>

#include "common/bus/wire.hpp"

namespace kopiur::bus {

/// Credit of one puller: keeps `size` messages on the way or in hand, asks for half a window at a time, and asks again what died in
/// silence (a pull to a missing consumer gets no answer at all). Pure but for `ask`.
class pull_window {
 public:
  using steady = std::chrono::steady_clock;
  /// `ask(batch)` sends one pull.
  pull_window(int size, std::function<void(int)> ask) : ask_(std::move(ask)), size_(std::max(size, 1)) {}

  /// At first, and whenever the server may have forgotten what was asked.
  void start(steady::time_point now);
  /// The connection went: nothing is on the way.
  void stop();
  void arrived(steady::time_point now);
  /// One that arrived is settled.
  void taken(steady::time_point now);
  void status(wire::pull_status const&, steady::time_point now);
  /// A request of somebody met no responder; if it was this pull, it is asked again in a second, not in ten.
  void nobody_there(steady::time_point now);
  int asked() const { return asked_; }
  /// True when messages were asked for, and not even a heartbeat came for two beats.
  bool is_silent(steady::time_point now) const;

 private:
  void refill(steady::time_point now);

  std::function<void(int)> ask_;
  int size_;
  int asked_ = 0;  // on the way
  int held_ = 0;   // arrived and not settled
  bool running_ = false;
  bool heard_since_ = false;  // anything since the last ask
  steady::time_point heard_{};
};

}  // namespace kopiur::bus
