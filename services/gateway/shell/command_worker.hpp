#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <variant>

#include "common/app/work_queue.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// What became of a command.
struct settled {};    ///< there is nothing to answer: it was answered before, or another queue has it
struct postponed {};  ///< it is redelivered in a few seconds
struct rejected {     ///< it becomes a dead letter with this reason
  std::string reason;
};
using command_end = std::variant<proto::answer, settled, postponed, rejected>;

/// The commands of one durable consumer: reads each once, performs them in turns, stores their answers on the stream `answers`, and settles
/// them. Namespaces share the workers (common/app/fair_queue.hpp). Unreadable commands become dead letters.
class command_worker {
 public:
  struct limits {
    int window = 256;          ///< commands that are received and not settled; not more than the durable's max_ack_pending
    std::size_t workers = 64;  ///< commands that are performed at the same time; half of them of one namespace
  };
  using performer = std::function<awaitable<command_end>(bus::stored const& message, proto::gateway_command command)>;

  command_worker(ports ports, asio::any_io_executor loop, std::string const& durable, limits limits);

  /// Calls `perform` for each command. Ends by cancellation, or with the first error.
  awaitable<void> run(performer perform);
  /// True when an answer to that command is stored: any answer if `whatever`, else only one with code Ok.
  awaitable<bool> is_answered(bus::stored const& command, bool whatever);

 private:
  struct command_key {
    std::string namespace_, subject;  // which names the command: its sequence may be another one's after the bus lost its data
    auto operator<=>(command_key const&) const = default;
  };
  struct received {
    bus::delivery delivery;  // the last one: a command may be redelivered while it waits
    proto::gateway_command command;
  };

  awaitable<void> receive();
  awaitable<void> keep_alive();
  awaitable<void> work_on(performer const& perform, command_key key);
  void settle(bus::delivery const& one, command_end const& end);
  awaitable<command_end> stored(bus::stored const& command, proto::answer said);
  awaitable<bool> answer(bus::stored const& command, proto::answer said);

  ports ports_;
  std::unique_ptr<bus::worker> worker_;
  std::map<command_key, received> received_;  // that wait or are performed
  app::work_queue<command_key> queue_;
};

}  // namespace kopiur::gateway
