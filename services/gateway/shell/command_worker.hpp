#pragma once
#include <functional>
#include <memory>
#include <optional>

#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// The commands of one durable consumer: reads them, stores their answers on the stream `answers`, and settles them.
class command_worker {
 public:
  /// At most `window` commands are processed at the same time.
  command_worker(ports ports, std::string const& durable, int window);

  /// Calls `handle` for each command, concurrently. Ends by cancellation, or with the first error.
  awaitable<void> serve(std::function<awaitable<void>(bus::delivery)> handle);
  /// The command in the message. An unreadable one becomes a dead letter, and the caller has nothing more to do.
  std::optional<proto::gateway_command> read(bus::delivery const& one);
  /// True when an answer to that command is stored: any answer if `whatever`, else only one with code Ok.
  awaitable<bool> is_answered(bus::stored command, bool whatever);

  /// Awaits `work`, and meanwhile keeps the delivery alive. Stores the answer before the command is acknowledged; when that fails, the
  /// command is redelivered. Without an answer the command is only acknowledged.
  awaitable<void> settle(bus::delivery one, awaitable<std::optional<proto::answer>> work);

  void ack(bus::delivery const& one) { worker_->ack(one); }
  /// The command is redelivered in a few seconds.
  void retry(bus::delivery const& one);
  /// The command becomes a dead letter with this reason.
  void reject(bus::delivery const& one, std::string reason);

 private:
  awaitable<void> receive(app::nursery& handlers, std::function<awaitable<void>(bus::delivery)> const& handle);
  awaitable<void> keep_alive(bus::delivery const& one);
  awaitable<bool> answer(bus::stored const& command, proto::answer said);

  ports ports_;
  std::unique_ptr<bus::worker> worker_;
};

}  // namespace kopiur::gateway
