#pragma once
#include <map>
#include <set>
#include <string>

#include "common/app/async.hpp"

namespace kopiur::app {

/// Wake-ups by name: the later setting of a name replaces the earlier. Derived from state, so they may be lost: a restart sets them again.
class timer_queue {
 public:
  timer_queue(clock& time, asio::any_io_executor const& loop) : time_(time), changed_(loop) {}
  void set(std::string const& name, instant when);
  /// The same, unless it is set to come sooner.
  void set_at_latest(std::string const& name, instant when);
  void clear(std::string const& name);
  /// The next name whose time has come; it is cleared. Waits as long as it takes; can be cancelled. One waiter at a time.
  awaitable<std::string> due();
  std::size_t size() const { return by_name_.size(); }

 private:
  clock& time_;
  std::map<std::string, instant> by_name_;
  std::set<std::pair<instant, std::string>> by_time_;
  event changed_;
};

}  // namespace kopiur::app
