#include "common/app/timer_queue.hpp"

namespace kopiur::app {

void timer_queue::set(std::string const& name, instant when) {
  auto [at, fresh] = by_name_.try_emplace(name, when);
  if (!fresh) {
    if (at->second == when) return;
    by_time_.erase({at->second, name});
    at->second = when;
  }
  bool first = by_time_.empty() || when < by_time_.begin()->first;
  by_time_.emplace(when, name);
  if (first) changed_.notify();
}

void timer_queue::set_at_latest(std::string const& name, instant when) {
  auto found = by_name_.find(name);
  if (found == by_name_.end() || when < found->second) set(name, when);
}

void timer_queue::clear(std::string const& name) {
  auto found = by_name_.find(name);
  if (found == by_name_.end()) return;
  by_time_.erase({found->second, name});
  by_name_.erase(found);
}

awaitable<std::string> timer_queue::due() {
  for (;;) {
    auto epoch = changed_.epoch();
    if (by_time_.empty()) {
      co_await changed_.wait(epoch);
      continue;
    }
    auto [when, name] = *by_time_.begin();
    if (when <= time_.now()) {
      clear(name);
      co_return name;
    }
    co_await first_of(time_.sleep_until(when), changed_.wait(epoch));
  }
}

}  // namespace kopiur::app
