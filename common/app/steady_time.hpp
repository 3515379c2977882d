#pragma once
#include "common/time/clock.hpp"

namespace kopiur::app {

/// The steady time of a clock in the form of a clock: its instants count from some start, and steps of the wall clock have no effect.
class steady_time final : public clock {
 public:
  explicit steady_time(clock& source) : source_(source) {}
  instant now() const override { return instant(source_.steady()); }
  boost::asio::awaitable<void> sleep_until(instant when) override { return sleep_for(when - now()); }
  boost::asio::awaitable<void> sleep_for(duration length) override { return source_.sleep_for(length); }
  duration steady() const override { return source_.steady(); }

 private:
  clock& source_;
};

}  // namespace kopiur::app
