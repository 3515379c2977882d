#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/bus/port.hpp"
#include "common/time/clock.hpp"
#include "services/gateway/config.hpp"

namespace kopiur::gateway {

/// The gateway with the local adapter: a folder as a cluster.
class service {
 public:
  /// `bus` and `time` outlive it.
  service(bus::port& bus, clock& time, options how) : bus_(bus), time_(time), how_(std::move(how)) {}

  /// Opens the data folder and serves; ends by cancellation (movers live on and are taken up by the next one), or with the first error. A
  /// data folder that another process has is a std::runtime_error with a sentence.
  boost::asio::awaitable<void> serve();

 private:
  bus::port& bus_;
  clock& time_;
  options how_;
};

}  // namespace kopiur::gateway
