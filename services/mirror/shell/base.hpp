#pragma once
#include <memory>
#include <string>
#include <vector>

#include "common/log/log.hpp"
#include "common/metrics/metrics.hpp"
#include "services/mirror/shell/claims.hpp"
#include "services/mirror/shell/place.hpp"
#include "services/mirror/shell/sight.hpp"

namespace kopiur::mirror {

/// What a deciding service stands on: the bus, the time, the cluster's objects, its own shares of status, and the views that it follows
/// besides. A service derives from it, says what it follows, and does its work().
class base {
 public:
  base(base const&) = delete;
  virtual ~base() { sees_.forget(this); }

  /// Fills the views, then works, until it is cancelled or something fails.
  boost::asio::awaitable<void> serve();
  /// All views are filled, and it works.
  bool ready() const { return ready_; }
  /// Adds what it counted and what it sees to a scrape. spec/kopiur.md, Observability: one service emits each metric.
  virtual void measure(metrics::registry& into) const;

 protected:
  using task = boost::asio::awaitable<void>;

  /// `shares`: the names of further shares of status that the service writes, see claims::say.
  /// `sees`: how much of the cluster, where it has a sight of its own.
  explicit base(place at, sight::extent sees, std::vector<std::string> const& shares = {});

  /// Has it told of changes from now on, while it lives.
  void on_object(std::function<void(proto::object_ref const&)> told) { mirror_.on_change(this, std::move(told)); }
  void on_run(std::function<void(std::string const& run, runs::entry const* now)> told) { sees_.runs().on_change(this, std::move(told)); }
  /// As runs::order.
  boost::asio::awaitable<bool> order_run(std::string run, proto::run_order what);
  /// What the service does once it knows what there is; ends only by cancellation or failure.
  virtual task work() = 0;
  /// Has a view of the service's own followed along with the others. In the constructor.
  void along(bus::view& one) { views_.push_back(&one); }
  /// Makes one decision: counted and timed.
  task reconcile(task decision);
  /// Sends a command to the gateway, see mirror::send.
  task send(proto::gateway_command what, std::string key, duration again, std::string run = {});

  place const here_;
  bus::port& bus_;
  clock& time_;
  log::logger log_;
  std::unique_ptr<sight> const own_;  // where no other was given
  sight& sees_;
  follower& mirror_;
  claims claims_;

 private:
  task fill_and_work();

  std::vector<bus::view*> views_;
  bool ready_ = false;
  std::uint64_t decided_ = 0, failed_ = 0;
  duration spent_{0};
};

}  // namespace kopiur::mirror
