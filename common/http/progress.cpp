#include "common/http/progress.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"

namespace kopiur::http {

boost::asio::awaitable<void> progress::guard(boost::asio::awaitable<void> work) {
  made();
  co_await app::first_of(std::move(work), expire());
}

boost::asio::awaitable<void> progress::expire() {
  for (;;) {
    auto now = time_.steady();
    auto idle_end = (suspended_ ? now : last_) + limits_.idle;
    auto total_end = limits_.total > duration(0) ? started_ + limits_.total : duration::max();
    if (total_end <= now) throw app::timed_out("not finished within " + to_text(limits_.total));
    if (idle_end <= now) throw app::timed_out("the server neither took nor sent anything for " + to_text(limits_.idle));
    co_await time_.sleep_for(std::min(idle_end, total_end) - now);
  }
}

}  // namespace kopiur::http
