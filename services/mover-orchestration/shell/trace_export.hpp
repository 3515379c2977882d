#pragma once
#include <deque>
#include <string>

#include "common/app/async.hpp"
#include "common/log/log.hpp"
#include "common/time/clock.hpp"
#include "proto/events/run.hpp"

namespace kopiur::mover_orchestration {

/// Sends the traces of ended runs to an OTLP endpoint (HTTP, JSON). They are informational: a trace that cannot be sent within 5 s is
/// dropped and logged, and a run never waits for it.
class trace_export {
 public:
  /// `endpoint`: the base URL; empty: nothing is sent.
  trace_export(clock& time, boost::asio::any_io_executor loop, std::string endpoint);

  /// Accepts a run that is over; ignores others.
  void add(proto::run_state const& run);
  /// Sends; ends only by cancellation.
  boost::asio::awaitable<void> run();

 private:
  clock& time_;
  std::string endpoint_;
  log::logger log_{"mover-orchestration"};
  std::deque<std::string> waiting_;
  app::event more_;
};

}  // namespace kopiur::mover_orchestration
