#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "common/bus/port.hpp"
#include "common/bus/wire.hpp"

typedef struct __natsMsg natsMsg;
typedef struct __natsConnection natsConnection;

namespace kopiur::bus {

/// A message of nats.c, owned. Views are good as long as it lives.
class message {
 public:
  message() = default;
  explicit message(natsMsg* raw) : raw_(raw) {}
  std::string_view subject() const;
  std::string_view reply() const;
  std::string_view body() const;
  /// The first value of that name, exactly as written; empty when absent.
  std::string_view header(char const* name) const;
  headers head() const;
  /// What this says to a pull: its `Status` and what goes with it.
  wire::pull_status status() const;

 private:
  /// Not at once: nats.c frees on a thread of its own, which it wakes for each message that comes alone.
  struct destroy {
    void operator()(natsMsg* raw) const;
  };
  std::unique_ptr<natsMsg, destroy> raw_;
};

/// What is sent; all outlive the call.
struct outgoing {
  std::string const& subject;
  std::string const& reply_to;  ///< empty = none
  std::string_view body;
  headers const& head;
};
/// Hands a message to nats.c, which copies it. Gives nats.c's reason when it refuses (a bad subject), empty when not.
std::string send_message(natsConnection*, outgoing const&);

}  // namespace kopiur::bus
