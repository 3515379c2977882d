#pragma once
#include <functional>
#include <map>
#include <string>

#include "common/bus/dead_letters.hpp"
#include "common/http/server.hpp"
#include "common/metrics/metrics.hpp"
#include "common/time/clock.hpp"

namespace kopiur::runtime {

/// A service as /readyz and /metrics see it.
struct seat {
  std::function<std::string()> waits;               ///< what it waits for before it works, for a sentence; empty: it works
  std::function<void(metrics::registry&)> measure;  ///< adds its metrics to a scrape
};

/// The services of a process and how they are: those that are named have to be there for the process to be ready.
class board {
 public:
  explicit board(clock& time) : time_(time), started_(time.now()) {}
  board(board const&) = delete;

  /// Names a service that is to come.
  void expect(std::string const& name) { seats_[name] = {}; }
  void take(std::string const& name, seat one) { seats_[name] = std::move(one); }
  void leave(std::string const& name) { seats_[name] = {}; }
  /// Counts dead letters; the board outlives it.
  std::function<void(bus::death const&)> deaths();
  /// /healthz, /readyz and /metrics; the board outlives them.
  http::pages pages() const;

 private:
  http::page readiness() const;
  http::page figures() const;

  clock& time_;
  instant started_;
  std::map<std::string, seat> seats_;
  metrics::registry counted_;
};

}  // namespace kopiur::runtime
