#pragma once
#include <map>
#include <set>
#include <string>

#include "common/app/async.hpp"

namespace kopiur::app {

/// Named timers: setting a name again replaces its earlier time. They are derived from state, so they may be lost: a restart sets them
/// again.
class timer_queue {
 public:
  timer_queue(clock& time, asio::any_io_executor const& loop) : time_(time), changed_(loop) {}
  void set(std::string const& name, instant when);
  /// As set(), unless the name is already set to an earlier time.
  void set_at_latest(std::string const& name, instant when);
  void clear(std::string const& name);
  /// Waits for the next name that is due, clears it and returns it. Can be cancelled. One waiter at a time.
  awaitable<std::string> due();
  std::size_t size() const { return by_name_.size(); }

 private:
  clock& time_;
  std::map<std::string, instant> by_name_;
  std::set<std::pair<instant, std::string>> by_time_;
  event changed_;
};

}  // namespace kopiur::app
