#pragma once
#include <memory>

#include "services/gateway/core/requests.hpp"
#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Serves requests of external senders. Each becomes an object or an annotation, or is refused with a sentence. The outcome is sent on
/// `kopiur.v1.ack.<cluster>.<ns>.<id>`, and stored for an hour as the answer `request` of that id. An unreadable request also becomes a
/// dead letter.
class requests {
 public:
  /// `full`: why nothing new begins now, as a sentence; it must outlive this.
  using why_not = std::function<std::optional<std::string>()>;
  requests(ports ports, bool restore_allowed, why_not full = [] { return std::nullopt; });

  /// Ends by cancellation only.
  awaitable<void> run();

 private:
  awaitable<void> handle(bus::delivery one);
  awaitable<proto::request_answer> decide(std::string ns, parsed_request parsed);
  awaitable<bool> was_made(request_plan const& plan);
  awaitable<outcome<void>> carry_out(request_plan plan);
  awaitable<void> tell(std::string ns, proto::request_answer said);

  ports ports_;
  bool restore_allowed_;
  why_not full_;
  std::unique_ptr<bus::worker> worker_;
};

}  // namespace kopiur::gateway
