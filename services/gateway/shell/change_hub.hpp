#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "common/app/async.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway {

/// What exists when a feed begins, read when its turn comes: thousands of objects are neither parsed at once nor kept.
struct cluster_walk {
  std::vector<object_key> keys;
  std::function<std::vector<cluster_change>(object_key const&)> now;  ///< its current state; none when it no longer exists
  std::function<std::vector<cluster_change>()> rest;                  ///< what else there is to tell, after them
  bool listed = false;                                                ///< they are all that exists
};

/// Sends every change to all feeds. The hub must outlive its feeds.
class change_hub {
 public:
  explicit change_hub(asio::any_io_executor loop) : loop_(std::move(loop)) {}

  void tell(cluster_change const& change);
  /// A feed that walks through all that exists; a change that comes meanwhile is told at once, `listed` only after all.
  std::unique_ptr<cluster_feed> follow(cluster_walk all);

 private:
  class queue;
  asio::any_io_executor loop_;
  std::set<queue*> queues_;
};

}  // namespace kopiur::gateway
