#pragma once
#include <functional>

#include "services/gateway/core/epochs.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Notices that the bus has lost something (a stream made again, or shorter than it was), also while we were away: what we know of the
/// streams is kept outside the bus, in the note `epochs`, written at most once a minute and only when it moved.
class epoch_watch {
 public:
  /// `lost` is called with what was lost, a sentence each.
  epoch_watch(ports to, asio::any_io_executor loop, std::function<void(std::vector<std::string> const&)> lost);

  /// Looks once a minute, and when it is told to; ends by cancellation only.
  awaitable<void> run();
  /// Looks at once: a feed starts over, and perhaps because its stream is another one.
  void look_soon() { soon_.notify(); }

 private:
  awaitable<void> watch();
  awaitable<std::optional<epochs>> look();
  awaitable<void> compare(epochs now);
  awaitable<void> keep(epochs now);

  ports to_;
  std::function<void(std::vector<std::string> const&)> lost_;
  epochs known_, kept_;
  bool read_ = false;  // what was kept
  std::optional<instant> written_;
  app::event soon_;
};

}  // namespace kopiur::gateway
