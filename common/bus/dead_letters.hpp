#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/bus/port.hpp"

/// Dead letters: messages that no handler could process, stored with the reason. Two paths lead to the same message:
/// - a worker rejects: the port publishes the copy, then settles the delivery (a work queue forgets a settled message);
/// - the server gives up at max_deliver and publishes an advisory: the handler here reads the message by sequence and copies it.
namespace kopiur::bus {

/// Subjects of the advisories; `.<stream>.<consumer>` follows.
inline constexpr std::string_view max_deliveries_advisory = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES";
inline constexpr std::string_view terminated_advisory = "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED";

/// The counter of dead letters, by stream and consumer.
inline constexpr std::string_view failures_metric = "kopiur_dead_letters_total";
inline constexpr std::string_view failures_help = "Messages that no handler could process; `kopiur bus dlq` lists them.";

/// Where and why the handling of a message failed.
struct handling_failure {
  std::string stream;
  std::string consumer;
  std::uint64_t attempts = 0;
  std::string reason;
};

struct dead_letter_options {
  std::string stream = "dead-letters";
  std::string durable = "dead-letters";
  std::string prefix = "dead";          ///< dead letters are stored at `<prefix>.<stream>.<consumer>`
  std::vector<std::string> erase_from;  ///< streams that lose the message once it is copied: work queues, where it blocks its subject
};

/// The stream that owns dead letters and the server's advisories: 30 days, limits. Advisories are core messages, lost unless a stream owns
/// them.
stream_config dead_letter_stream(dead_letter_options const&);
/// The durable consumer of store_dead_letters(): only the advisories.
consumer_config dead_letter_consumer(dead_letter_options const&);

/// The dead letter of a message: its body and its own headers, plus `Dead-Subject`, `Dead-Sequence`, `Dead-Attempts`, `Dead-Reason`. Its id
/// depends only on the message and the consumer, so both paths store one letter. Pure.
publication dead_letter(std::string_view prefix, stored const& message, handling_failure const& why);
/// Parses an advisory; nothing when the body is not one. Pure.
std::optional<std::pair<handling_failure, std::uint64_t>> read_advisory(std::string_view body);

/// Consumes the advisories forever: copies each message with its reason, and erases it where `erase_from` says so. Several may run. The one
/// that stored a letter calls `on_dead_letter`; for letters that a worker stored, see nats_options::on_dead_letter.
asio::awaitable<void> store_dead_letters(port&, dead_letter_options, std::function<void(handling_failure const&)> on_dead_letter = {});

}  // namespace kopiur::bus
