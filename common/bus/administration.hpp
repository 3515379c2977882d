#pragma once
#include <optional>

#include "common/bus/port.hpp"

/// What who looks after a bus needs besides a port: how full streams are, and which durables are still in use.
namespace kopiur::bus {

struct stream_size {
  std::uint64_t bytes = 0;
  std::int64_t budget = -1;  ///< its max_bytes; -1: none
};
struct consumer_state {
  std::uint64_t pending = 0;           ///< messages under its filters that nobody has acknowledged
  bool awaited = false;                ///< somebody asks it for messages now
  std::optional<instant> last_active;  ///< when it last delivered a message; nothing: never
};

class administration {
 public:
  virtual ~administration() = default;
  virtual asio::awaitable<result<stream_size>> size(std::string stream) = 0;
  /// `not_found`: there is none.
  virtual asio::awaitable<result<consumer_state>> consumer(std::string stream, std::string name) = 0;
  /// Removes a durable; one that does not exist is no error.
  virtual asio::awaitable<result<void>> remove_consumer(std::string stream, std::string name) = 0;
};

/// The port's own administration; nullptr: it has none (the bus in memory, which has no budget).
inline administration* administration_of(port& bus) { return dynamic_cast<administration*>(&bus); }

/// Whether the stream has no bytes left: the message was not stored, and may be later. Any other `limit` says that the message's subject
/// is taken: on a work queue the same command is pending already.
bool is_out_of_bytes(error const&);
/// Whether a refused command is pending already, so that nothing is lost.
inline bool is_pending_already(error const& why) { return why.kind == failure::limit && !is_out_of_bytes(why); }

}  // namespace kopiur::bus
