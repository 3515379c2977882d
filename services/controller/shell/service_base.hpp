#pragma once
#include <memory>
#include <string>
#include <vector>

#include "common/log/log.hpp"
#include "common/metrics/metrics.hpp"
#include "services/controller/shell/cluster_cache.hpp"
#include "services/controller/shell/service_context.hpp"
#include "services/controller/shell/status_reporter.hpp"

namespace kopiur::controller {

/// The base of every deciding service: the bus, the clock, the cluster's cache, a status reporter, and further views. A service derives
/// from it, declares what it follows, and implements work().
class service_base {
 public:
  service_base(service_base const&) = delete;
  virtual ~service_base() { cache_.forget(this); }

  /// Fills the views, then works, until it is cancelled or fails.
  boost::asio::awaitable<void> serve();
  /// All views are filled, and the service works.
  bool ready() const { return ready_; }
  /// Adds its counters and gauges to a scrape. spec/kopiur.md, Observability: one service emits each metric.
  virtual void measure(metrics::registry& into) const;

 protected:
  using task = boost::asio::awaitable<void>;

  /// `what`: the extent of its cache, when it does not share one. `parts`: the names of further status fragments that it writes, see
  /// status_reporter::report.
  explicit service_base(service_context context, cluster_cache::extent what, std::vector<std::string> const& parts = {});

  /// Calls back at each change from now on, for the lifetime of the service.
  void on_object(std::function<void(proto::object_ref const&)> told) { informer_.on_change(this, std::move(told)); }
  void on_run(std::function<void(std::string const& run, run_index::entry const* now)> told) {
    cache_.runs().on_change(this, std::move(told));
  }
  /// As run_index::order.
  boost::asio::awaitable<bool> order_run(std::string run, proto::run_order what);
  /// What the service does once its views are filled; ends only by cancellation or failure.
  virtual task work() = 0;
  /// Follows another view of the service along with the others. Call it in the constructor.
  void follow(bus::view& one) { views_.push_back(&one); }
  /// Counts and times one decision.
  task count_decision(task decision);
  /// Sends a command to the gateway, see controller::send.
  task send(proto::gateway_command what, std::string key, duration again, std::string run = {});

  service_context const context_;
  bus::port& bus_;
  clock& time_;
  log::logger log_;
  std::unique_ptr<cluster_cache> const own_cache_;  // when none is shared
  cluster_cache& cache_;
  informer& informer_;
  status_reporter status_;

 private:
  task fill_and_work();

  std::vector<bus::view*> views_;
  bool ready_ = false;
  std::uint64_t decided_ = 0, failed_ = 0;
  duration spent_{0};
};

}  // namespace kopiur::controller
