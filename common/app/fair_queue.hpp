#pragma once
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kopiur::app {

/// How soon a key is taken: `background` keys only when no other key can be.
enum class urgency { now, background };

/// Which waiting key is worked on next. Each key waits at most once, and is in work at most once. Keys belong to shares, such as the
/// namespaces of a cluster: shares take turns (a key costs one turn, so a deficit never builds up), the keys of one share go in FIFO order,
/// and one share has at most half of the workers, so that another one's first key never waits for it. Pure; `Key` is totally ordered.
template <class Key>
class fair_queue {
 public:
  /// The share of a key; called when the key begins to wait.
  using share_of = std::function<std::string(Key const&)>;

  /// Without `share_of`, all keys are one share, and it may have every worker.
  explicit fair_queue(std::size_t workers, share_of share = {})
      : workers_(workers), of_one_share_(share ? std::max<std::size_t>(1, workers / 2) : workers), share_of_(std::move(share)) {}

  /// Requests work on the key. While it is in work, the request takes effect after that.
  void add(Key const& key, urgency priority = urgency::now) {
    auto& state = keys_[key];
    if (state.waits && *state.waits <= priority) return;
    state.waits = priority;
    if (!state.in_work) enqueue(key, priority);
  }

  /// The next key, which is now in work; nothing: no worker is free, or no key may be taken.
  std::optional<Key> take() {
    if (in_work_ == workers_) return {};
    for (auto& level : levels_)
      for (std::size_t turn = level.rotation.size(); turn > 0; --turn) {
        auto name = std::move(level.rotation.front());
        level.rotation.pop_front();
        auto key = share_is_full(name) ? std::optional<Key>() : next_of(level, name);
        if (level.queues.contains(name)) level.rotation.push_back(name);
        if (!key) continue;
        start(*key, std::move(name));
        return key;
      }
    return {};
  }

  /// The work on the key ended.
  void finish(Key const& key) {
    auto found = keys_.find(key);
    auto share = shares_.find(*std::exchange(found->second.in_work, {}));
    if (--share->second == 0) shares_.erase(share);
    --in_work_;
    if (found->second.waits)
      enqueue(key, *found->second.waits);
    else
      keys_.erase(found);
  }

  std::size_t in_work() const { return in_work_; }
  /// Keys that wait, without those in work that were requested again.
  std::size_t waiting() const { return keys_.size() - in_work_; }
  /// Whether a key waits only in the background.
  bool has_background() const { return !levels_[static_cast<std::size_t>(urgency::background)].queues.empty(); }

 private:
  struct state {
    std::optional<urgency> waits;
    std::optional<std::string> in_work;  // the share that it counts for
  };
  struct level {
    std::map<std::string, std::deque<Key>> queues;  // by share; may have keys that have become more urgent
    std::deque<std::string> rotation;               // the shares that have a queue
  };

  void enqueue(Key const& key, urgency priority) {
    auto& level = levels_[static_cast<std::size_t>(priority)];
    auto name = share_of_ ? share_of_(key) : std::string();
    auto [queue, fresh] = level.queues.try_emplace(name);
    queue->second.push_back(key);
    if (fresh) level.rotation.push_back(std::move(name));
  }

  bool share_is_full(std::string const& name) const {
    auto found = shares_.find(name);
    return found != shares_.end() && found->second >= of_one_share_;
  }

  std::optional<Key> next_of(level& level, std::string const& name) {
    auto found = level.queues.find(name);
    auto& queue = found->second;
    std::optional<Key> next;
    while (!next && !queue.empty()) {
      auto known = keys_.find(queue.front());
      auto priority = static_cast<urgency>(&level - levels_.data());
      if (known != keys_.end() && known->second.waits == priority && !known->second.in_work) next = std::move(queue.front());
      queue.pop_front();
    }
    if (queue.empty()) level.queues.erase(found);
    return next;
  }

  void start(Key const& key, std::string share) {
    ++shares_[share], ++in_work_;
    keys_[key] = {.waits = {}, .in_work = std::move(share)};
  }

  std::size_t workers_, of_one_share_, in_work_ = 0;
  share_of share_of_;
  std::map<Key, state> keys_;
  std::map<std::string, std::size_t> shares_;  // keys in work
  std::array<level, 2> levels_;
};

}  // namespace kopiur::app
