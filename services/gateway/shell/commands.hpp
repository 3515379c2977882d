#pragma once
#include "services/gateway/shell/command_worker.hpp"

namespace kopiur::gateway {

/// Performs what services command, and answers each command once on its subject of the stream `answers`. What cannot be understood becomes
/// a dead letter. A handler may run twice: every command is idempotent but a hook's call, which goes to a queue of its own (hooks.hpp).
class commands {
 public:
  explicit commands(ports to);

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<void> handle(bus::delivery one);

  ports to_;
  command_worker worker_;
};

}  // namespace kopiur::gateway
