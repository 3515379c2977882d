#include "services/gateway/shell/epoch_watch.hpp"

#include "common/json/codec.hpp"
#include "proto/streams.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;

namespace {
constexpr duration look_every = 10s;
constexpr int looks_a_minute = 6;
}  // namespace

epoch_watch::epoch_watch(ports to, std::function<void(std::vector<std::string> const&)> lost)
    : to_(std::move(to)), lost_(std::move(lost)) {}

awaitable<void> epoch_watch::run() {
  if (auto read = json::read<epochs>((co_await to_.world.note("epochs")).value_or("{}"))) kept_ = known_ = std::move(*read);
  for (;;) {
    if (auto now = co_await look()) {
      co_await compare(*now);
      co_await keep(memorable(*now));
    }
    co_await to_.time.sleep_for(look_every);
  }
}

// Nothing while the bus is away: an unreachable bus has lost nothing yet.
awaitable<std::optional<epochs>> epoch_watch::look() {
  epochs now;
  for (auto const& stream : proto::streams(1)) {
    auto about = co_await to_.bus.info(stream.name);
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
  if (looks_until_write_ > 0) --looks_until_write_;
  if (now == kept_ || looks_until_write_ > 0) co_return;
  co_await to_.world.keep_note("epochs", json::pretty(json::encode(now)));
  kept_ = std::move(now);
  looks_until_write_ = looks_a_minute;
}

}  // namespace kopiur::gateway
