#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/core/lease.hpp"

namespace kopiur::controller {

/// The runs that wait for one lease, in the order in which they get it: higher priority first, then older. Each call but clusters() costs
/// little beside a crowd. Pointers are valid until the waiter changes.
class lease_queue {
 public:
  lease_queue() = default;
  lease_queue(lease_queue const&) = delete;
  lease_queue& operator=(lease_queue const&) = delete;

  /// Adds the waiter, or replaces what is known of its run.
  void put(proto::lease_waiter waiter);
  void remove(std::string const& cluster, std::string const& run);

  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }
  /// Who gets the lease next; nullptr when nobody waits.
  proto::lease_waiter const* first() const { return order_.empty() ? nullptr : order_.front(); }
  /// The run's entry; nullptr when it does not wait.
  proto::lease_waiter const* find(std::string const& cluster, std::string const& run) const;
  /// How many get the lease before this one.
  std::size_t ahead_of(proto::lease_waiter const& waiter) const;
  /// Who must ask again first; nullptr when nobody waits.
  proto::lease_waiter const* first_to_expire() const { return ends_.empty() ? nullptr : ends_.begin()->second; }
  /// The clusters of the waiting runs.
  std::vector<std::string> clusters() const;

 private:
  using run_id = std::pair<std::string, std::string>;  // cluster, run
  std::map<run_id, proto::lease_waiter> all_;
  std::vector<proto::lease_waiter const*> order_;
  std::set<std::pair<instant, proto::lease_waiter const*>> ends_;
  std::map<std::string, std::size_t> clusters_;  // and how many of each wait
};

/// The order in which waiters of one key get the lease.
bool goes_before(proto::lease_waiter const& a, proto::lease_waiter const& b);

/// Where a run stands in the queue of a lease.
struct queue_place {
  proto::lease_waiter const* mine = nullptr;  ///< nullptr: it does not wait
  std::size_t ahead = 0;
};

}  // namespace kopiur::controller
