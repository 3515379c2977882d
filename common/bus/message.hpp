#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "common/bus/port.hpp"
#include "common/bus/wire.hpp"

typedef struct __natsMsg natsMsg;
typedef struct __natsConnection natsConnection;

namespace kopiur::bus {

/// Owns a message of nats.c. Views are valid as long as it lives.
class message {
 public:
  message() = default;
  explicit message(natsMsg* raw) : raw_(raw) {}
  std::string_view subject() const;
  std::string_view reply() const;
  std::string_view body() const;
  /// The first value of the header with exactly this name; empty when absent.
  std::string_view header(char const* name) const;
  headers head() const;
  /// What this message reports about a pull: its `Status` and the headers that belong to it.
  wire::pull_status status() const;

 private:
  /// Deferred: nats.c frees messages on a separate thread, which wakes for each message that is freed alone.
  struct destroy {
    void operator()(natsMsg* raw) const;
  };
  std::unique_ptr<natsMsg, destroy> raw_;
};

/// A message to send; everything it refers to must outlive the call.
struct outgoing {
  std::string const& subject;
  std::string const& reply_to;  ///< empty = none
  std::string_view body;
  headers const& head;
};
/// Passes a message to nats.c, which copies it. Returns nats.c's reason when it refuses (a bad subject), else an empty string.
std::string send_message(natsConnection*, outgoing const&);

}  // namespace kopiur::bus
