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

/// Sends every change to all feeds. The hub must outlive its feeds.
class change_hub {
 public:
  explicit change_hub(asio::any_io_executor loop) : loop_(std::move(loop)) {}

  void tell(cluster_change const& change);
  /// A feed that begins with `first`.
  std::unique_ptr<cluster_feed> follow(std::vector<cluster_change> first);

 private:
  class queue;
  asio::any_io_executor loop_;
  std::set<queue*> queues_;
};

}  // namespace kopiur::gateway
