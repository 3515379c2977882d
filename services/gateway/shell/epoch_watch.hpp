#pragma once
#include <functional>

#include "services/gateway/core/epochs.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Notices that the bus has lost something (a stream made anew, or shorter than it was), also while we were away: what we know of the
/// streams is kept outside the bus, in the note `epochs`, written at most once a minute and only when it moved.
class epoch_watch {
 public:
  /// `lost` is called with what was lost, a sentence each.
  epoch_watch(ports to, std::function<void(std::vector<std::string> const&)> lost);

  /// Looks every ten seconds; ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<std::optional<epochs>> look();
  awaitable<void> compare(epochs now);
  awaitable<void> keep(epochs now);

  ports to_;
  std::function<void(std::vector<std::string> const&)> lost_;
  epochs known_, kept_;
  int looks_until_write_ = 0;
};

}  // namespace kopiur::gateway
