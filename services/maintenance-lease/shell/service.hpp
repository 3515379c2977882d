#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>

#include "common/app/work_queue.hpp"
#include "common/bus/view.hpp"
#include "common/log/log.hpp"
#include "common/metrics/metrics.hpp"
#include "proto/events/run.hpp"
#include "services/controller/shell/typed_view.hpp"
#include "services/maintenance-lease/core/lease.hpp"

namespace kopiur::maintenance_lease {

struct options {
  std::string cluster = "local";  ///< where this replica runs; leases are of all clusters
  policy rule;
  controller::process_shared shared = {};
};

/// Answers lease requests and applies expiry; the only writer of `kopiur.v1.lease.>`. Any number of replicas: they share requests by one
/// durable and write states by compare-and-set.
class service {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);
  boost::asio::awaitable<void> serve();
  bool ready() const { return ready_; }
  /// Adds to a scrape: leases held, leases waited for, and decisions made.
  void measure(metrics::registry& into) const;

 private:
  using task = boost::asio::awaitable<void>;
  struct entry {
    proto::lease_state state;
    std::uint64_t sequence = 0;
  };
  struct mover {
    std::string cluster, run;
    std::vector<std::string> keys;  // of the leases that the mover works under
  };
  /// A request that was received and is not yet decided.
  struct pending {
    bus::delivery delivery;
    proto::lease_request request;
  };
  /// Decides the change of one key from its state and the next fence.
  using decision = std::function<std::optional<change>(proto::lease_state const&, std::uint64_t fence, unrecorded_holders const&)>;

  task work();
  task receive();
  task decide_key(std::string key);
  task answer(std::string const& key, pending one);
  /// Writes what `decide` returns, then what tick() returns, until neither returns a change; re-reads when another replica was faster.
  /// Returns the final state. `asker`: the cluster of the request; empty: there is no request.
  boost::asio::awaitable<proto::lease_state> settle(std::string key, std::string asker, decision decide);
  /// The sequence of the write; empty: another replica was faster.
  boost::asio::awaitable<std::optional<std::uint64_t>> write(std::string const& key, std::uint64_t expected, change one);
  /// Reads from the stream's leader. Decodes only a state that differs from the known one, since a state with many runs is long.
  boost::asio::awaitable<entry> read(std::string const& key);
  std::optional<std::string> proof_of_end(proto::lease_holder const& holder) const;
  void run_changed(std::string const& subject, bus::stored const* now);
  void job_changed(std::string const& subject, bus::stored const* now);
  bool is_listed(std::string const& cluster) const;
  unrecorded_holders unrecorded_holders_beside(proto::lease_state const& state, std::string const& asker) const;

  bus::port& bus_;
  clock& time_;
  boost::asio::any_io_executor loop_;
  options options_;
  log::logger log_{"maintenance-lease"};
  controller::typed_view<proto::lease_state> leases_;
  bus::view run_view_, job_view_;
  std::map<std::string, proto::run_stage> stages_;                             // by subject of the run
  std::map<std::string, std::map<std::string, proto::lease_holder>> workers_;  // by key and subject of the Job: movers that may still act
  std::map<std::string, mover> at_work_;                                       // by subject of the Job: while anything of it runs
  std::set<std::string> kept_waiting_;                                         // keys on which a request met unrecorded holders
  std::unique_ptr<bus::worker> requests_;
  std::map<std::string, std::vector<pending>> pending_;  // by key, in the order of arrival
  app::work_queue<std::string> queue_;                   // keys with requests, or whose leases may expire
  bool ready_ = false;
  std::uint64_t decided_ = 0;
};

}  // namespace kopiur::maintenance_lease
