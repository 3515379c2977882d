#pragma once
#include <algorithm>
#include <chrono>
#include <functional>

#include "common/bus/wire.hpp"

namespace kopiur::bus {

/// Credit of one puller: keeps `size` messages requested or unsettled, requests at least half a window at a time, and repeats a pull that
/// got no answer (a pull to a missing consumer gets none at all). Pure except for `ask`.
class pull_window {
 public:
  using steady = std::chrono::steady_clock;
  /// `ask(batch)` sends one pull.
  pull_window(int size, std::function<void(int)> ask) : ask_(std::move(ask)), size_(std::max(size, 1)) {}

  /// Call at first, and whenever the server may have forgotten earlier pulls.
  void start(steady::time_point now);
  /// The connection broke: no message is on the way.
  void stop();
  void arrived(steady::time_point now);
  /// A message that arrived is settled.
  void taken(steady::time_point now);
  void status(wire::pull_status const&, steady::time_point now);
  /// A request met no responder. If it may have been this pull, the pull is repeated after 1 s instead of 10 s.
  void nobody_there(steady::time_point now);
  int asked() const { return asked_; }
  /// True when messages were requested and not even a heartbeat arrived for two heartbeat intervals.
  bool is_silent(steady::time_point now) const;

 private:
  void refill(steady::time_point now);

  std::function<void(int)> ask_;
  int size_;
  int asked_ = 0;  // requested, not arrived
  int held_ = 0;   // arrived, not settled
  bool running_ = false;
  bool heard_since_ = false;  // anything since the last pull
  steady::time_point heard_{};
};

}  // namespace kopiur::bus
