#pragma once
#include <map>
#include <set>

#include "common/kubernetes/reflector.hpp"

namespace kopiur::kubernetes {

/// The exact contents of a reflector's collection. It derives changes that the reflector implies: an object missing from a new list was
/// deleted; one with a new uid was deleted in between. An unchanged object is not reported again.
class collection {
 public:
  struct listener {
    std::function<void(json::value object)> is;
    std::function<void(object_key key, std::string uid)> gone;
    std::function<void()> told = [] {};  ///< once: all existing objects were reported
    /// Called before a deletion and before the end of a list are taken. False: it proves nothing; what is known stays, and run() ends.
    std::function<awaitable<bool>()> proven{};
    std::function<void()> complete = [] {};  ///< each time that a list was taken to its end
  };
  collection(client& api, clock& time, reflector::options options, listener listener)
      : api_(api), time_(time), options_(std::move(options)), listener_(std::move(listener)) {}

  /// Ends by cancellation, or when a change is not proven. When run again, it reports what changed since.
  awaitable<void> run();
  /// Whether it has been listed to its end.
  bool told() const { return told_; }

 private:
  struct held {
    std::string uid, version;
    bool operator==(held const&) const = default;
  };
  void take(change what);
  void seen(json::value object);
  void tell_gone(object_key const& key);
  void start_over();

  client& api_;
  clock& time_;
  reflector::options options_;
  listener listener_;
  std::map<object_key, held> objects_;
  std::set<object_key> stale_;  // known, but not seen since it started over
  bool told_ = false;
};

}  // namespace kopiur::kubernetes
