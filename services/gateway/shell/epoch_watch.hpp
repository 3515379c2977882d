#pragma once
#include <functional>

#include "services/gateway/core/epochs.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Notices that the bus lost data (a stream was recreated, or is shorter than before), also while the gateway was down. The known state of
/// the streams is stored outside the bus, in the note `epochs`, written at most once a minute and only when it changed.
class epoch_watch {
 public:
  /// `lost` is called with one sentence for each loss.
  epoch_watch(ports ports, asio::any_io_executor loop, std::function<void(std::vector<std::string> const&)> lost);

  /// Checks once a minute and on look_soon(); ends by cancellation only.
  awaitable<void> run();
  /// Checks now: a feed started over, perhaps because its stream was recreated.
  void look_soon() { soon_.notify(); }

 private:
  awaitable<void> watch();
  awaitable<std::optional<epochs>> look();
  awaitable<void> compare(epochs now);
  awaitable<void> keep(epochs now);

  ports ports_;
  std::function<void(std::vector<std::string> const&)> lost_;
  epochs known_, kept_;
  bool read_ = false;  // whether the note was read
  std::optional<instant> written_;
  app::event soon_;
};

}  // namespace kopiur::gateway
