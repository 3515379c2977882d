#include "services/mirror/shell/sight.hpp"

#include <boost/asio.hpp>
#include <utility>

namespace kopiur::mirror {

sight::extent sight::everything() {
  return {.whole_run = [](proto::run_state const&) { return true; }};
}

sight::sight(place const& at, extent how) : log_(at.service), objects_(at, how.kinds, log_) {
  if (how.whole_run) runs_.emplace(at, log_, [this] { return objects_.seen(); }, std::move(how.whole_run));
}

boost::asio::awaitable<void> sight::run() {
  app::nursery both(co_await boost::asio::this_coro::executor);
  both.spawn(objects_.run());
  if (runs_) both.spawn(runs_->view().run());
  co_await both.join();
}

boost::asio::awaitable<void> sight::until_filled() {
  co_await objects_.until_listed();
  if (runs_) co_await runs_->view().until_ready();
}

void sight::forget(void const* who) {
  objects_.forget(who);
  if (runs_) runs_->forget(who);
}

}  // namespace kopiur::mirror
