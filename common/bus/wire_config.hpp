#pragma once
#include <string>
#include <vector>

#include "common/bus/port.hpp"
#include "common/json/value.hpp"

/// Streams and consumers as JetStream's API has them, and the echo check. Pure.
namespace kopiur::bus::wire {

/// The `config` of a stream. The window for duplicates is cut to the age, above which servers refuse it.
json::value stream_body(stream_config const&);
/// The `config` of a durable pull consumer with explicit acks.
json::value consumer_body(consumer_config const&);
/// The `config` of a feed's ephemeral consumer: last per subject, no acks, in memory, gone after a minute without pulls.
json::value feed_body(std::string_view name, std::vector<std::string> const& filters);
/// The request around a consumer's config; `action` is `create` or `update`.
std::string consumer_request(std::string_view stream, json::value config, std::string_view action);

/// The fields that the server made otherwise than asked, as `max_age: asked 5, got 0`: an old server drops what it does not know. Fields
/// that it added are its own affair.
std::vector<std::string> differences(json::value const& asked, json::value const& echoed);

stream_info read_info(json::value const& answer);

}  // namespace kopiur::bus::wire
