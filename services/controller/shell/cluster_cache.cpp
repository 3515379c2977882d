#include "services/controller/shell/cluster_cache.hpp"

#include <boost/asio.hpp>
#include <utility>

namespace kopiur::controller {

cluster_cache::extent cluster_cache::everything() {
  return {.whole_run = [](proto::run_state const&) { return true; }};
}

cluster_cache::cluster_cache(service_context const& context, extent what) : log_(context.service), objects_(context, what.kinds, log_) {
  if (what.whole_run) runs_.emplace(context, log_, [this] { return objects_.seen(); }, std::move(what.whole_run));
}

boost::asio::awaitable<void> cluster_cache::run() {
  app::nursery both(co_await boost::asio::this_coro::executor);
  both.spawn(objects_.run());
  if (runs_) both.spawn(runs_->view().run());
  co_await both.join();
}

boost::asio::awaitable<void> cluster_cache::until_filled() {
  co_await objects_.until_listed();
  if (runs_) co_await runs_->view().until_ready();
}

void cluster_cache::forget(void const* listener) {
  objects_.forget(listener);
  if (runs_) runs_->forget(listener);
}

}  // namespace kopiur::controller
