#pragma once
#include <memory>

#include "services/gateway/core/requests.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// The door for outsiders: each request becomes an object or an annotation, or a refusal in a sentence; what became of it is told on
/// `kopiur.v1.ack.<cluster>.<ns>.<id>`, and kept for an hour as the answer `request` of that id. One that cannot be read at all is a dead
/// letter as well.
class requests {
 public:
  requests(ports to, bool restore_allowed);

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<void> handle(bus::delivery one);
  awaitable<proto::request_answer> decide(std::string ns, parsed_request parsed);
  awaitable<bool> was_made(request_plan const& plan);
  awaitable<outcome<void>> carry_out(request_plan plan);
  awaitable<void> tell(std::string ns, proto::request_answer said);

  ports to_;
  bool restore_allowed_;
  std::unique_ptr<bus::worker> worker_;
};

}  // namespace kopiur::gateway
