#pragma once
#include <string>
#include <vector>

#include "common/bus/administration.hpp"
#include "common/json/value.hpp"

/// Streams and consumers in the form of JetStream's API, and the echo check. Pure.
namespace kopiur::bus::wire {

/// The `config` of a stream. The duplicate window is limited to the maximum age, because servers refuse a longer one.
json::value stream_body(stream_config const&);
/// The `config` of a durable pull consumer with explicit acks.
json::value consumer_body(consumer_config const&);
/// The `config` of a feed's ephemeral consumer: last per subject, no acks, in memory, removed after a minute without pulls.
json::value feed_body(std::string_view name, std::vector<std::string> const& filters);
/// The request that contains a consumer's config; `action` is `create` or `update`.
std::string consumer_request(std::string_view stream, json::value config, std::string_view action);

/// The fields that the server set otherwise than requested, as `max_age: asked 5, got 0`: an old server drops what it does not know. Fields
/// that the server added are ignored.
std::vector<std::string> differences(json::value const& asked, json::value const& echoed);

stream_info read_info(json::value const& answer);
stream_size read_size(json::value const& answer);
consumer_state read_consumer(json::value const& answer);

}  // namespace kopiur::bus::wire
