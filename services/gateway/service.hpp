#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>

#include "common/bus/port.hpp"
#include "common/metrics/metrics.hpp"
#include "common/time/clock.hpp"
#include "services/gateway/config.hpp"
#include "services/gateway/shell/backlog.hpp"

namespace kopiur::gateway {

/// The gateway, over a folder as a cluster, or over Kubernetes (`options.kubernetes`).
class service {
 public:
  /// Takes a sentence about what does not work at the moment (a manifest that is refused, a folder that cannot be written).
  using sentences = std::function<void(std::string const&)>;

  /// `bus` and `time` outlive it. What it has to say goes into the log, and to `tell` where one is given.
  service(bus::port& bus, clock& time, boost::asio::any_io_executor, options how, sentences tell = {})
      : bus_(bus), time_(time), how_(std::move(how)), tell_(std::move(tell)) {}

  /// Opens the data folder, or connects, and serves; ends by cancellation (movers live on and are taken up by the next one), or with the
  /// first error. A data folder that another process has is waited for (`options.stand_by`), or a std::runtime_error with a sentence.
  boost::asio::awaitable<void> serve();

  /// A sentence where the oldest change of the cluster that is not yet told is older than 30 s; else empty. A gateway that stands by, and
  /// one whose bus or API is away with nothing to tell, is ready.
  std::string why_not_ready() const { return why_behind(behind_, time_.now()); }
  /// Adds what the parts counted to a scrape.
  void measure(metrics::registry& into) const { into.merge(counted_); }

 private:
  bus::port& bus_;
  clock& time_;
  options how_;
  sentences tell_;
  metrics::registry counted_;
  backlog behind_;
};

}  // namespace kopiur::gateway
