#include "common/bus/fullness.hpp"

#include <boost/asio.hpp>

namespace kopiur::bus {

std::optional<int> percent_used(stream_size const& one) {
  if (one.budget <= 0) return std::nullopt;
  return static_cast<int>(static_cast<double>(one.bytes) * 100 / static_cast<double>(one.budget));
}

asio::awaitable<void> fullness::run(std::function<void()> told) {
  for (;; co_await time_.sleep_for(std::chrono::minutes(1))) {
    co_await look();
    told();
  }
}

asio::awaitable<void> fullness::look() {
  auto* sizes = administration_of(bus_);
  if (!sizes) co_return;
  for (auto const& each : streams_)
    if (auto size = co_await sizes->size(each)) sizes_[each] = *size;
}

}  // namespace kopiur::bus
