#pragma once
#include <optional>
#include <string>

#include "services/controller/shell/lease_book.hpp"
#include "services/maintenance-lease/core/lease.hpp"

namespace kopiur::maintenance_lease {

/// Leases and their queues on the bus: reads from the stream's leader, because a decision must not use a copy that may lag, and writes by
/// compare-and-set. All calls throw std::runtime_error when the bus refuses.
class lease_store {
 public:
  using entry = controller::lease_book::entry;
  /// A run's entry in a queue.
  struct waiting {
    std::optional<proto::lease_waiter> waiter;  ///< empty: it does not wait
    std::uint64_t sequence = 0;                 ///< of the last word about it
  };

  lease_store(controller::service_context const& context, controller::lease_book& book, log::logger log)
      : bus_(context.bus), time_(context.time), service_(context.service), log_(std::move(log)), book_(book) {}

  /// The holders of a key as this replica has seen them: enough for a change, whose write names its predecessor. Nothing when an old
  /// version wrote waiters into the state, since read() moves them first.
  std::optional<entry> seen(std::string const& key) const;
  /// The holders of a key. A state is decoded only where it differs from the known one, since one with many runs is long. Waiters that an
  /// old version wrote into the state get entries of their own.
  boost::asio::awaitable<entry> read(std::string key);
  /// Writes a change of the holders, and removes the entry of a run that got the lease. A run whose entry is gone has released the lease,
  /// and does not get it. The state after it; empty: another replica was faster.
  boost::asio::awaitable<std::optional<entry>> write(entry before, change one);

  /// If the entry is gone, this replica's queue lacks it too from now on.
  boost::asio::awaitable<waiting> read_waiter(std::string key, std::string cluster, std::string run);
  /// Once this replica has seen it. False: another replica was faster.
  boost::asio::awaitable<bool> write(proto::lease_waiter waiter, std::uint64_t expected);
  /// True: this call removed the run's entry. False: there is none.
  boost::asio::awaitable<bool> remove(proto::lease_waiter waiter);

 private:
  boost::asio::awaitable<std::optional<entry>> write_state(entry const& before, change one);
  boost::asio::awaitable<entry> read_state(std::string key);
  boost::asio::awaitable<bool> remove(proto::lease_waiter waiter, std::uint64_t expected);
  boost::asio::awaitable<std::optional<std::uint64_t>> publish(bus::publication message, std::string const& key);
  proto::lease_waiter const* waiter_of(proto::lease_state const& state) const;

  bus::port& bus_;
  clock& time_;
  std::string service_;
  log::logger log_;
  controller::lease_book& book_;  // what this replica has seen; the queues are read here
};

}  // namespace kopiur::maintenance_lease
