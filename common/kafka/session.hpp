#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <memory>

#include "common/kafka/connection.hpp"
#include "common/kafka/handles.hpp"

namespace kopiur::kafka {

/// librdkafka's Admin API as coroutines. Its threads do the network; its queue wakes the loop by a file descriptor.
class session {
 public:
  session(boost::asio::any_io_executor loop, connection const& target, std::chrono::milliseconds limit);
  ~session();
  session(session const&) = delete;

  struct request {
    rd_kafka_admin_op_t what;
    bool waits = false;       ///< the broker answers when it has done it
    bool only_check = false;  ///< the broker says what it would answer, and changes nothing
  };
  /// Calls the function of the Admin API, with these options and that queue.
  using sender = std::function<void(rd_kafka_t*, rd_kafka_AdminOptions_t const*, rd_kafka_queue_t*)>;
  /// The event with the result.
  boost::asio::awaitable<outcome<event_handle>> ask(request kind, sender send);

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace kopiur::kafka
