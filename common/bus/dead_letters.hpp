#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "common/bus/port.hpp"

/// Dead letters: what no handler could take, kept with its reason. They come in two ways, and both end in the same message:
/// - a worker rejects: the port publishes the copy, then settles the delivery (a work queue forgets the message when it is settled);
/// - the server gives up at max_deliver and says so in an advisory: the handler here reads the message by sequence and copies it.
namespace kopiur::bus {

/// Where advisories come; `.<stream>.<consumer>` follows.
inline constexpr std::string_view max_deliveries_advisory = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES";
inline constexpr std::string_view terminated_advisory = "$JS.EVENT.ADVISORY.CONSUMER.MSG_TERMINATED";

/// The counter of deaths, by stream and consumer.
inline constexpr std::string_view failures_metric = "kopiur_dead_letters_total";
inline constexpr std::string_view failures_help = "Messages that no handler could take; `kopiur bus dlq` lists them.";

/// Where a message died and why.
struct handling_failure {
  std::string stream;
  std::string consumer;
  std::uint64_t attempts = 0;
  std::string reason;
};

struct dead_letter_options {
  std::string stream = "dead-letters";
  std::string durable = "dead-letters";
  std::string prefix = "dead";          ///< dead letters lie at `<prefix>.<stream>.<consumer>`
  std::vector<std::string> erase_from;  ///< streams from which the message goes once it is copied: work queues, where it blocks its subject
};

/// The stream that owns dead letters and the server's advisories (core messages, lost unless a stream owns them): 30 days, limits.
stream_config dead_letter_stream(dead_letter_options const&);
/// The durable of store_dead_letters(): the advisories alone.
consumer_config dead_letter_consumer(dead_letter_options const&);

/// The dead letter of a message: its body and own headers, and `Dead-Subject`, `Dead-Sequence`, `Dead-Attempts`, `Dead-Reason`. The id is a
/// function of where and what died, so that both ways make one letter. Pure.
publication dead_letter(std::string_view prefix, stored const& message, handling_failure const& why);
/// What an advisory says; nothing when it is not one. Pure.
std::optional<std::pair<handling_failure, std::uint64_t>> read_advisory(std::string_view body);

/// Follows the advisories forever: copies each message with its reason, and erases it where `erase_from` says so. Any number may run; one
/// of them tells `on_dead_letter` of a letter that no worker has made (nats_options::on_dead_letter).
asio::awaitable<void> store_dead_letters(port&, dead_letter_options, std::function<void(handling_failure const&)> on_dead_letter = {});

}  // namespace kopiur::bus
