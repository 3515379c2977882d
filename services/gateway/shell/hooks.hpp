#pragma once
#include <map>

#include "common/app/semaphore.hpp"
#include "services/gateway/shell/command_worker.hpp"

namespace kopiur::gateway {

/// Whether the command is a hook: somebody else's act, which may take an hour.
bool is_hook(proto::gateway_command const& command);

/// Moves a hook's command to the subject where hooks wait (`gateway-hooks`), once. False: the bus did not take it, ask again.
awaitable<bool> queue_hook(ports to, bus::stored command);

/// Bounds how many hooks run at the same time: 64 in all, 32 of one namespace. Waiters of a namespace are served in order.
class hook_pool {
 public:
  static constexpr std::size_t in_all = 64, of_a_namespace = 32;
  /// Ends with this object.
  struct place {
    app::semaphore::permit own, shared;
  };

  explicit hook_pool(asio::any_io_executor loop) : loop_(std::move(loop)), shared_(loop_, in_all) {}
  /// Waits for a place. Can be cancelled.
  awaitable<place> take(std::string ns);

 private:
  asio::any_io_executor loop_;
  app::semaphore shared_;
  std::map<std::string, app::semaphore> namespaces_;  // those that have hooks
};

/// Performs the hooks that queue_hook() moved, and answers each once. Its worker and its pool are its own: hooks that do not end keep no
/// other command waiting.
class hooks {
 public:
  hooks(ports to, asio::any_io_executor loop);

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<void> handle(bus::delivery one);
  awaitable<std::optional<proto::answer>> perform_hook(bus::stored message, proto::gateway_command command, std::string ns);

  ports to_;
  hook_pool pool_;
  command_worker worker_;
};

}  // namespace kopiur::gateway
