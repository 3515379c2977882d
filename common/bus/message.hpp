#pragma once
#include <memory>
#include <optional>
#include <string_view>

#include "common/bus/port.hpp"
#include "common/bus/wire.hpp"

typedef struct __natsMsg natsMsg;

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
  natsMsg* raw() const { return raw_.get(); }

 private:
  struct destroy {
    void operator()(natsMsg* raw) const;
  };
  std::unique_ptr<natsMsg, destroy> raw_;
};

/// A message to be published; empty when nats.c refuses (a bad subject). `reply_to` empty = none.
message make_message(std::string const& subject, std::string const& reply_to, std::string_view body, headers const& head);

}  // namespace kopiur::bus
