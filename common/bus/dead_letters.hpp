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
inline constexpr std::string_view deaths_metric = "kopiur_dead_letters_total";
inline constexpr std::string_view deaths_help = "Messages that no handler could take; `kopiur bus dlq` lists them.";

/// Where a message died and why.
struct death {
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
/// The durable of bury(): the advisories alone.
consumer_config dead_letter_consumer(dead_letter_options const&);

/// The dead letter of a message: its body and own headers, and `Dead-Subject`, `Dead-Sequence`, `Dead-Attempts`, `Dead-Reason`. The id is a
/// function of where and what died, so that both ways make one letter. Pure.
publication dead_letter(std::string_view prefix, stored const& message, death const& why);
/// What an advisory says; nothing when it is not one. Pure.
std::optional<std::pair<death, std::uint64_t>> read_advisory(std::string_view body);

/// Follows the advisories for ever: copies each message with its reason, and erases it where `erase_from` says so. Any number may run; one
/// of them tells `buried` of a letter that no worker has made (nats_options::buried).
asio::awaitable<void> bury(port&, dead_letter_options, std::function<void(death const&)> buried = {});

}  // namespace kopiur::bus
