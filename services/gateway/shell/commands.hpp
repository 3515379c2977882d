#pragma once
#include <memory>

#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Performs what services command, and answers each command once on its subject of the stream `answers`. What cannot be understood becomes
/// a dead letter. A handler may run twice: every command is idempotent but a hook's call, which is not made again once its answer is
/// stored.
class commands {
 public:
  explicit commands(ports to);

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<void> receive(app::nursery& handlers);
  awaitable<void> handle(bus::delivery one);
  awaitable<void> keep_alive(bus::delivery const& one);
  awaitable<bool> is_answered(bus::stored const& command, bool whatever);
  awaitable<bool> answer(bus::stored const& command, proto::answer said);

  ports to_;
  std::unique_ptr<bus::worker> worker_;
};

}  // namespace kopiur::gateway
