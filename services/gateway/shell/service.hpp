#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>

#include "common/app/async.hpp"
#include "common/bus/port.hpp"
#include "common/metrics/metrics.hpp"
#include "common/time/clock.hpp"
#include "services/gateway/shell/backlog.hpp"
#include "services/gateway/shell/options.hpp"

namespace kopiur::gateway {

namespace kubernetes {
class kubernetes_cluster;
}

/// The gateway, with a folder as its cluster, or with Kubernetes (`options.kubernetes`).
class service {
 public:
  /// Receives a sentence about something that does not work at the moment (a manifest that is refused, a folder that cannot be written).
  using sentences = std::function<void(std::string const&)>;

  /// `bus` and `time` must outlive the service. It writes messages into the log, and passes them to `tell` when one is given.
  service(bus::port& bus, clock& time, boost::asio::any_io_executor loop, options options, sentences tell = {})
      : bus_(bus), time_(time), options_(std::move(options)), tell_(std::move(tell)), activated_(loop) {}

  /// Opens the data folder, or connects, and serves. Ends by cancellation, or with the first error. After a cancellation movers continue,
  /// and the next gateway adopts them. When another process uses the data folder: waits (`options.stand_by`), or throws a
  /// std::runtime_error with a sentence.
  boost::asio::awaitable<void> serve();

  /// A sentence when the oldest unpublished change of the cluster is older than 30 s; else empty. A standby gateway is ready, and so is one
  /// whose bus or API is unreachable while it has nothing to publish.
  std::string why_not_ready() const { return why_behind(behind_, time_.now()); }
  /// With Kubernetes, also for a standby: a sentence until the objects of the cluster are known and the webhook listens; else empty.
  std::string why_not_serving() const;
  /// Returns once this gateway is the active one of a Kubernetes cluster. Can be cancelled.
  boost::asio::awaitable<void> until_active();
  /// Whether it is active, and no other gateway can be by now (kubernetes/leader.hpp).
  bool leads() const;
  /// Adds the metrics of all parts to a scrape.
  void measure(metrics::registry& into) const { into.merge(counted_); }

 private:
  bus::port& bus_;
  clock& time_;
  options options_;
  sentences tell_;
  metrics::registry counted_;
  backlog behind_;
  kubernetes::kubernetes_cluster const* cluster_ = nullptr;  // while it serves Kubernetes
  app::event activated_;
};

}  // namespace kopiur::gateway
