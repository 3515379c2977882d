#pragma once
#include <string>
#include <vector>

#include "common/log/log.hpp"
#include "common/metrics/metrics.hpp"
#include "services/mirror/shell/claims.hpp"
#include "services/mirror/shell/follower.hpp"
#include "services/mirror/shell/place.hpp"

namespace kopiur::mirror {

/// What a deciding service stands on: the bus, the time, the cluster's objects, its own shares of status, and the views that it follows
/// besides. A service derives from it, says what it follows, and does its work().
class base {
 public:
  base(base const&) = delete;
  virtual ~base() = default;

  /// Fills the views, then works, until it is cancelled or something fails.
  boost::asio::awaitable<void> serve();
  /// All views are filled, and it works.
  bool ready() const { return ready_; }
  /// Adds what it counted and what it sees to a scrape. spec/kopiur.md, Observability: one service emits each metric.
  virtual void measure(metrics::registry& into) const;

 protected:
  using task = boost::asio::awaitable<void>;

  /// `shares`: the names of further shares of status that the service writes, see claims::say.
  explicit base(place at, std::vector<std::string> const& shares = {});

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
  follower mirror_;
  claims claims_;

 private:
  task fill_and_work();

  std::vector<bus::view*> views_;
  bool ready_ = false;
  std::uint64_t decided_ = 0, failed_ = 0;
  duration spent_{0};
};

}  // namespace kopiur::mirror
