#include "services/gateway/shell/epoch_watch.hpp"

#include "common/json/codec.hpp"
#include "proto/streams.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;

namespace {
constexpr duration look_every = 60s;  // and on look_soon()
constexpr duration write_every = 60s, try_again = 5s;
}  // namespace

epoch_watch::epoch_watch(ports ports, asio::any_io_executor loop, std::function<void(std::vector<std::string> const&)> lost)
    : ports_(std::move(ports)), lost_(std::move(lost)), soon_(loop) {}

awaitable<void> epoch_watch::run() {
  for (;;) {
    auto asked = soon_.epoch();
    std::string failed;
    try {
      co_await watch();
    } catch (std::exception const& e) {  // the cluster is unreachable: compare and store when it is back
      if (app::is_cancelled(std::current_exception())) throw;
      failed = e.what();
    }
    if (!failed.empty()) journal.warning("epochs.failed", {{"why", failed}});
    co_await app::first_of(ports_.time.sleep_for(failed.empty() ? look_every : try_again), soon_.wait(asked));
  }
}

awaitable<void> epoch_watch::watch() {
  if (!read_) {
    if (auto read = json::read<epochs>((co_await ports_.cluster.note("epochs")).value_or("{}"))) kept_ = known_ = std::move(*read);
    read_ = true;
  }
  auto now = co_await look();
  if (!now) co_return;
  co_await compare(*now);
  co_await keep(memorable(*now));
}

// Nothing while the bus is unreachable: that is not a loss.
awaitable<std::optional<epochs>> epoch_watch::look() {
  epochs now;
  for (auto const& stream : proto::streams(1)) {
    auto about = co_await ports_.bus.info(stream.name);
    if (!about && about.error().kind == bus::failure::not_found) continue;
    if (!about) co_return std::nullopt;
    now[stream.name] = {about->created, about->last_sequence};
  }
  co_return now;
}

awaitable<void> epoch_watch::compare(epochs now) {
  auto lost = losses(known_, now);
  known_ = std::move(now);
  if (lost.empty()) co_return;
  for (auto const& each : lost) journal.error("bus.lost", {{"what", each}});
  lost_(lost);
}

awaitable<void> epoch_watch::keep(epochs now) {
  auto moment = ports_.time.now();
  bool just_written = written_ && moment - *written_ < write_every && moment >= *written_;
  if (now == kept_ || just_written) co_return;
  co_await ports_.cluster.keep_note("epochs", json::pretty(json::encode(now)));
  kept_ = std::move(now);
  written_ = ports_.time.now();
}

}  // namespace kopiur::gateway
