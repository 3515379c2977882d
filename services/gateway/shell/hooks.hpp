#pragma once
#include <map>

#include "common/app/semaphore.hpp"
#include "services/gateway/shell/command_worker.hpp"

namespace kopiur::gateway {

/// Whether the command is a hook: code of a user, which may run for an hour.
bool is_hook(proto::gateway_command const& command);

/// Moves a hook's command to the queue of hooks (`gateway-hooks`), once. False: the bus did not accept it; call again.
awaitable<bool> queue_hook(ports ports, bus::stored command);

/// Bounds how many hooks run at the same time: 64 in all, 32 of one namespace. Hooks of one namespace wait in FIFO order.
class hook_pool {
 public:
  static constexpr std::size_t in_all = 64, of_a_namespace = 32;
  /// Released with this object.
  struct permits {
    app::semaphore::permit own, shared;
  };

  explicit hook_pool(asio::any_io_executor loop) : loop_(std::move(loop)), shared_(loop_, in_all) {}
  /// Waits for permits. Can be cancelled.
  awaitable<permits> take(std::string ns);

 private:
  asio::any_io_executor loop_;
  app::semaphore shared_;
  std::map<std::string, app::semaphore> namespaces_;  // namespaces with hooks
};

/// Performs the hooks that queue_hook() moved, and answers each once. It has a separate worker and pool, so long hooks do not delay other
/// commands.
class hooks {
 public:
  hooks(ports ports, asio::any_io_executor loop);

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<void> handle(bus::delivery one);
  awaitable<std::optional<proto::answer>> perform_hook(bus::stored message, proto::gateway_command command, std::string ns);

  ports ports_;
  hook_pool pool_;
  command_worker worker_;
};

}  // namespace kopiur::gateway
