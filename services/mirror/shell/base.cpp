#include "services/mirror/shell/base.hpp"

#include <boost/asio.hpp>

namespace kopiur::mirror {

namespace asio = boost::asio;

base::base(place at, sight::extent sees, std::vector<std::string> const& shares)
    : here_(std::move(at)),
      bus_(here_.bus),
      time_(here_.time),
      log_(here_.service),
      own_(here_.together ? nullptr : std::make_unique<sight>(here_, std::move(sees))),
      sees_(own_ ? *own_ : *here_.together),
      mirror_(sees_.objects()),
      claims_(here_, shares) {}

asio::awaitable<void> base::serve() {
  app::nursery all(here_.loop);
  if (own_) all.spawn(own_->run());
  all.spawn(claims_.run());
  for (auto* each : views_) all.spawn(each->run());
  all.spawn(fill_and_work());
  co_await all.join();
}

asio::awaitable<void> base::fill_and_work() {
  co_await sees_.until_filled();
  co_await claims_.until_ready();
  for (auto* each : views_) co_await each->until_ready();
  ready_ = true;
  co_await work();
}

asio::awaitable<bool> base::order_run(std::string run, proto::run_order what) {
  return sees_.runs().order(here_.service, std::move(run), std::move(what));
}

asio::awaitable<void> base::reconcile(task decision) {
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

void base::measure(metrics::registry& into) const {
  metrics::labels who{{"controller", here_.service}};
  into.add("controller_reconciliations_total", "Decisions that the service made.", who, static_cast<double>(decided_));
  into.add("controller_reconcile_errors_total", "Decisions that ended by an error, and are made again.", who, static_cast<double>(failed_));
  into.observe("controller_reconcile_duration_seconds", "How long decisions took, with the waits for the bus in them.",
               std::chrono::duration<double>(spent_).count(), who, decided_);
}

asio::awaitable<void> base::send(proto::gateway_command what, std::string key, duration again, std::string run) {
  co_await mirror::send(here_, {std::move(what), std::move(key), again, std::move(run)});
}

}  // namespace kopiur::mirror
