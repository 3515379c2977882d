#include "common/app/system_clock.hpp"

#include <boost/asio.hpp>

namespace kopiur::app {

namespace {
// The kernel's timers run on the steady clock. The wall clock is therefore read at least this often, to notice that it was stepped.
constexpr duration look_again{1000};
}  // namespace

boost::asio::awaitable<void> system_clock::sleep_until(instant when) {
  for (auto left = when - now(); left > duration::zero(); left = when - now()) co_await sleep_for(std::min(left, look_again));
}

boost::asio::awaitable<void> system_clock::sleep_for(duration length) {
  boost::asio::steady_timer timer(loop_, length);
  co_await timer.async_wait(boost::asio::use_awaitable);
}

}  // namespace kopiur::app
