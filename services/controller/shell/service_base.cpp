#include "services/controller/shell/service_base.hpp"

#include <boost/asio.hpp>

namespace kopiur::controller {

namespace asio = boost::asio;

service_base::service_base(service_context context, cluster_cache::extent what, std::vector<std::string> const& parts)
    : context_(std::move(context)),
      bus_(context_.bus),
      time_(context_.time),
      log_(context_.service),
      own_cache_(context_.shared.cache ? nullptr : std::make_unique<cluster_cache>(context_, std::move(what))),
      cache_(own_cache_ ? *own_cache_ : *context_.shared.cache),
      informer_(cache_.objects()),
      status_(context_, parts) {}

asio::awaitable<void> service_base::serve() {
  app::nursery all(context_.loop);
  if (own_cache_) all.spawn(own_cache_->run());
  all.spawn(status_.run());
  for (auto* each : views_) all.spawn(each->run());
  all.spawn(fill_and_work());
  co_await all.join();
}

asio::awaitable<void> service_base::fill_and_work() {
  co_await cache_.until_filled();
  co_await status_.until_ready();
  for (auto* each : views_) co_await each->until_ready();
  ready_ = true;
  co_await work();
}

asio::awaitable<bool> service_base::order_run(std::string run, proto::run_order what) {
  return cache_.runs().order(context_.service, std::move(run), std::move(what));
}

asio::awaitable<void> service_base::count_decision(task decision) {
  auto began = time_.now();
  ++decided_;
  try {
    co_await std::move(decision);
  } catch (...) {
    failed_ += app::is_cancelled(std::current_exception()) ? 0u : 1u;
    throw;
  }
  spent_ += std::max(duration{0}, time_.now() - began);
}

void service_base::measure(metrics::registry& into) const {
  metrics::labels who{{"controller", context_.service}};
  into.add("controller_reconciliations_total", "Decisions that the service made.", who, static_cast<double>(decided_));
  into.add("controller_reconcile_errors_total", "Decisions that failed and are retried.", who, static_cast<double>(failed_));
  into.observe("controller_reconcile_duration_seconds", "How long decisions took, including waits for the bus.",
               std::chrono::duration<double>(spent_).count(), who, decided_);
}

asio::awaitable<void> service_base::send(proto::gateway_command what, std::string key, duration again, std::string run) {
  co_await controller::send(context_, {std::move(what), std::move(key), again, std::move(run)});
}

}  // namespace kopiur::controller
