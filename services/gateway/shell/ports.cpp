#include "services/gateway/shell/ports.hpp"

#include <algorithm>

#include "proto/codec.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;

awaitable<std::optional<bus::receipt>> publish_until_stored(ports to, bus::publication message) {
  for (duration wait = 500ms;; wait = std::min<duration>(wait * 2, 30s)) {
    auto stored = co_await to.bus.publish(message);
    if (stored) co_return *stored;
    if (stored.error().kind == bus::failure::wrong_sequence) co_return std::nullopt;
    journal.warning(
        "publish.failed",
        {{"subject", message.subject}, {"failure", std::string(json::to_text(stored.error().kind))}, {"why", stored.error().text}});
    co_await to.time.sleep_for(wait);
  }
}

}  // namespace kopiur::gateway
