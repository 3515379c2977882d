#pragma once
#include <boost/asio/any_io_executor.hpp>

#include "common/time/clock.hpp"

namespace kopiur::app {

/// The machine's own clocks.
class system_clock final : public clock {
 public:
  explicit system_clock(boost::asio::any_io_executor loop) : loop_(std::move(loop)) {}
  instant now() const override { return std::chrono::floor<duration>(std::chrono::system_clock::now()); }
  boost::asio::awaitable<void> sleep_until(instant when) override;
  boost::asio::awaitable<void> sleep_for(duration length) override;
  duration steady() const override { return std::chrono::floor<duration>(std::chrono::steady_clock::now().time_since_epoch()); }

 private:
  boost::asio::any_io_executor loop_;
};

}  // namespace kopiur::app
