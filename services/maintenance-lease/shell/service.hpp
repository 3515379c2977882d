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
#include "services/maintenance-lease/core/lease.hpp"
#include "services/maintenance-lease/shell/lease_store.hpp"

namespace kopiur::maintenance_lease {

struct options {
  std::string cluster = "local";  ///< where this replica runs; leases are of all clusters
  policy rule;
  controller::process_shared shared = {};
};

/// Answers lease requests and applies expiry; the only writer of `kopiur.v1.lease.>` and `kopiur.v1.lease-waiter.>`. Any number of
/// replicas: they share requests by one durable and write by compare-and-set.
class service {
 public:
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options);
  service(service const&) = delete;
  ~service() { leases_.forget_listener(this); }
  boost::asio::awaitable<void> serve();
  bool ready() const { return ready_; }
  /// Adds to a scrape: leases held, leases waited for, and decisions made.
  void measure(metrics::registry& into) const;

 private:
  using task = boost::asio::awaitable<void>;
  using entry = lease_store::entry;
  struct mover {
    std::string cluster, run;
    std::vector<std::string> keys;  // of the leases that the mover works under
  };
  /// A request that was received and is not yet decided.
  struct pending {
    bus::delivery delivery;
    proto::lease_request request;
  };

  task work();
  task receive();
  task decide_key(std::string key);
  task answer(std::string key, pending one);
  /// Writes what the request changes. The holders after it; empty: the run stands in line now, and the holders have to be read again, since
  /// a place that became free before that has waited for nobody. `asker`: the run, without what it asks for.
  boost::asio::awaitable<std::optional<entry>> carry_out(proto::lease_request const& request, proto::lease_waiter asker);
  /// Writes what tick() returns until it returns nothing; re-reads when another replica was faster.
  task settle(std::string key, std::optional<entry> known);
  sight look(entry const& found, unrecorded_holders const& beside) const;
  std::optional<std::string> proof_of_end(proto::lease_holder const& holder) const;
  void run_changed(std::string const& subject, bus::stored const* now);
  void job_changed(std::string const& subject, bus::stored const* now);
  bool is_listed(std::string const& cluster) const;
  /// `asker`: the cluster of the request; empty: there is no request.
  unrecorded_holders unrecorded_holders_beside(proto::lease_state const& state, std::string const& asker) const;
  void wake_for(std::string const& key);

  controller::service_context const context_;
  bus::port& bus_;
  clock& time_;
  policy const rule_;
  log::logger log_{"maintenance-lease"};
  controller::lease_book_of_service kept_leases_;
  controller::lease_book& leases_;
  lease_store store_;
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
