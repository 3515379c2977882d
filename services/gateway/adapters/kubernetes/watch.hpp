#pragma once
#include <map>
#include <set>

#include "services/gateway/adapters/kubernetes/reflector.hpp"
#include "services/gateway/shell/change_hub.hpp"

namespace kopiur::gateway::kubernetes {

/// The objects of several kinds as one feed. What a reflector only implies is told: an object that did not come again is gone, one that was
/// made anew under its name was gone in between; one that comes again as it was is no news. Objects are kept as they travel (mirror_form).
class watch {
 public:
  /// `told` hears each failure; the reflectors never give up.
  watch(client& api, clock& time, asio::any_io_executor loop, std::vector<reflector::options> kinds);

  /// Ends by cancellation only.
  awaitable<void> run();
  /// All objects that are known, then `listed` once every kind has been listed, then every change.
  std::unique_ptr<cluster_feed> follow();

 private:
  struct held {
    std::string uid, version, text;
  };
  struct kind {
    reflector::options how;
    std::map<object_key, held> objects;
    std::set<object_key> stale;  // since it started over
    bool told = false;
  };
  awaitable<void> follow_kind(kind& one);
  void take(kind& one, change what);
  void tell_gone(kind& one, object_key const& key);
  bool all_told() const;

  client& api_;
  clock& time_;
  asio::any_io_executor loop_;
  change_hub hub_;
  std::deque<kind> kinds_;
};

}  // namespace kopiur::gateway::kubernetes
