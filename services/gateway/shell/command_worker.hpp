#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// The commands of one durable: reads them, stores their answers on `answers`, and settles them.
class command_worker {
 public:
  /// At most `window` commands are in hand at the same time.
  command_worker(ports to, std::string const& durable, int window);

  /// Calls `handle` for each command that comes, side by side. Ends by cancellation, or with the first error.
  awaitable<void> serve(std::function<awaitable<void>(bus::delivery)> handle);
  /// What the message asks for. One that cannot be read becomes a dead letter; nothing is left to do with it.
  std::optional<proto::gateway_command> read(bus::delivery const& one);
  /// True when an answer to that command is stored: `whatever` it says, or else one that says Ok.
  awaitable<bool> is_answered(bus::stored command, bool whatever);

  /// Awaits `work`, and tells the bus meanwhile that the command is in hand. Its answer is stored before the command is acknowledged; where
  /// that fails, the command comes again. No answer: the command is acknowledged as it is.
  awaitable<void> settle(bus::delivery one, awaitable<std::optional<proto::answer>> work);

  void ack(bus::delivery const& one) { worker_->ack(one); }
  /// The command comes again in a few seconds.
  void retry(bus::delivery const& one);
  /// The command becomes a dead letter with this reason.
  void reject(bus::delivery const& one, std::string reason);

 private:
  awaitable<void> receive(app::nursery& handlers, std::function<awaitable<void>(bus::delivery)> const& handle);
  awaitable<void> keep_alive(bus::delivery const& one);
  awaitable<bool> answer(bus::stored const& command, proto::answer said);

  ports to_;
  std::unique_ptr<bus::worker> worker_;
};

}  // namespace kopiur::gateway
