#pragma once
#include "services/gateway/shell/command_worker.hpp"

namespace kopiur::gateway {

/// Performs the commands of services, and answers each once on its subject of the stream `answers`. An unreadable command becomes a dead
/// letter. A handler may run twice: every command is idempotent except a hook's call, which has a queue of its own (hooks.hpp).
class commands {
 public:
  commands(ports ports, asio::any_io_executor loop);

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<command_end> perform(bus::stored const& message, proto::gateway_command command);

  ports ports_;
  command_worker worker_;
};

}  // namespace kopiur::gateway
