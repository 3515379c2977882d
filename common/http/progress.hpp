#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/time/clock.hpp"

namespace kopiur::http {

/// How long a client waits for its peer.
struct patience {
  duration total{0};           ///< for everything from the request to the last byte of the answer; 0: no limit
  duration idle{30'000};       ///< without progress: the peer takes nothing and sends nothing
  duration permission{1'000};  ///< for `100 Continue`; after that the body is sent anyway (RFC 9110, 10.1.1)
};

/// Notices a peer that stops. One exchange, one loop.
class progress {
 public:
  progress(clock& time, patience limits) : time_(time), limits_(limits), started_(time.steady()), last_(started_) {}

  clock& time() const { return time_; }
  patience const& limits() const { return limits_; }
  /// The peer took or sent something.
  void made() { last_ = time_.steady(); }
  /// We do not wait for the peer, but for something of our own, until resume().
  void suspend() { suspended_ = true; }
  void resume() { suspended_ = false, made(); }
  /// Awaits `work`. When a limit ends it is cancelled, and app::timed_out is thrown with a clause.
  boost::asio::awaitable<void> guard(boost::asio::awaitable<void> work);

 private:
  boost::asio::awaitable<void> expire();
  clock& time_;
  patience limits_;
  duration started_, last_;
  bool suspended_ = false;
};

}  // namespace kopiur::http
