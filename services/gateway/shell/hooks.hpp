#pragma once
#include "services/gateway/shell/command_worker.hpp"

namespace kopiur::gateway {

/// Hooks that run at the same time; half of them of one namespace.
inline constexpr std::size_t hooks_at_a_time = 64;

/// Moves a hook's command to the queue of hooks (`gateway-hooks`), once. False: the bus did not accept it; call again.
awaitable<bool> queue_hook(ports ports, bus::stored command);

/// Performs the hooks that queue_hook() moved, and answers each once. They have a queue and workers of their own, so long hooks do not
/// delay other commands.
class hooks {
 public:
  hooks(ports ports, asio::any_io_executor loop);

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<command_end> perform(bus::stored const& message, proto::gateway_command command);

  ports ports_;
  command_worker worker_;
};

}  // namespace kopiur::gateway
