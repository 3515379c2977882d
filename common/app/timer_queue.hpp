#pragma once
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "common/app/async.hpp"

namespace kopiur::app {

/// Timers by key: setting a key again replaces its earlier time. They are derived from state, so they may be lost: a restart sets them
/// again. `Key` is totally ordered.
template <class Key>
class timer_queue {
 public:
  timer_queue(clock& time, asio::any_io_executor const& loop) : time_(time), changed_(loop) {}

  void set(Key const& key, instant when) {
    auto [known, fresh] = by_key_.try_emplace(key, when);
    if (!fresh) {
      if (known->second == when) return;
      by_time_.erase({known->second, key});
      known->second = when;
    }
    bool first = by_time_.empty() || when < by_time_.begin()->first;
    by_time_.emplace(when, key);
    if (first) changed_.notify();
  }

  /// As set(), unless the key is already set to an earlier time.
  void set_at_latest(Key const& key, instant when) {
    auto known = by_key_.find(key);
    if (known == by_key_.end() || when < known->second) set(key, when);
  }

  void clear(Key const& key) {
    auto known = by_key_.find(key);
    if (known == by_key_.end()) return;
    by_time_.erase({known->second, key});
    by_key_.erase(known);
  }

  /// Waits for the next key that is due, clears it and returns it. Can be cancelled. One waiter at a time.
  awaitable<Key> due() {
    for (;;) {
      auto epoch = changed_.epoch();
      if (by_time_.empty()) {
        co_await changed_.wait(epoch);
        continue;
      }
      auto [when, key] = *by_time_.begin();
      if (when <= time_.now()) {
        clear(key);
        co_return key;
      }
      co_await first_of(time_.sleep_until(when), changed_.wait(epoch));
    }
  }

  std::size_t size() const { return by_key_.size(); }

 private:
  clock& time_;
  std::map<Key, instant> by_key_;
  std::set<std::pair<instant, Key>> by_time_;
  event changed_;
};

}  // namespace kopiur::app
