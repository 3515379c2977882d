#include "services/gateway/shell/ports.hpp"

#include <algorithm>

#include "proto/codec.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;

awaitable<bus::result<bus::receipt>> publish_until_stored(ports ports, bus::publication message) {
  for (duration wait = 500ms;; wait = std::min<duration>(wait * 2, 30s)) {
    auto stored = co_await ports.bus.publish(message);
    bool for_good = !stored && (stored.error().kind == bus::failure::wrong_sequence || stored.error().kind == bus::failure::too_large);
    if (stored || for_good) co_return stored;
    journal.warning(
        "publish.failed",
        {{"subject", message.subject}, {"failure", std::string(json::to_text(stored.error().kind))}, {"why", stored.error().text}});
    co_await ports.time.sleep_for(wait);
  }
}

}  // namespace kopiur::gateway
