#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/bus/port.hpp"
#include "common/json/value.hpp"

/// JetStream's wire format as text: request bodies, answers, statuses, ack subjects, error codes. Pure.
namespace kopiur::bus::wire {

/// Durations are nanoseconds on the wire.
inline constexpr std::int64_t nanoseconds_a_millisecond = 1'000'000;

/// The failure kind of JetStream's `err_code`; pass 0 when the answer has none.
failure kind_of(int err_code);
/// True for the codes that mean "busy" or "no leader now": the same request may succeed a little later.
bool is_passing(int err_code);

/// An API answer: the document, or the error that it holds. `err_code` keeps the server's number for the few callers that decide by it.
struct refusal {
  error what;
  int err_code = 0;
  std::string stream;  ///< of a refused publish: the stream that refused it
};
using answer = std::expected<json::value, refusal>;
answer read_answer(std::string_view body);

/// Parses the PubAck of a publish. Only this is parsed a hundred thousand times a second, so the usual form has a fast path.
std::expected<receipt, refusal> read_receipt(std::string_view body);

/// The headers of a publication: its own, and the instructions to the stream. Line breaks in values become spaces.
headers publish_headers(publication&&);
/// Replaces line breaks by spaces: in a header value they would end the header.
std::string one_line(std::string text);

/// `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<ns>.<pending>`, or the later form with domain and account before
/// the stream. `key` is `<stream>.<consumer>` and points into the subject.
struct ack_subject {
  std::string_view key;
  std::uint64_t delivered = 0, stream_sequence = 0, consumer_sequence = 0, pending = 0;
  instant time{};
};
std::optional<ack_subject> read_ack_subject(std::string_view reply);

/// A status of a pull: an empty message without a reply.
struct pull_status {
  int code = 0;
  std::string text;
  std::optional<int> pending;                      ///< messages that the ended pull did not deliver
  std::optional<std::uint64_t> consumer_sequence;  ///< of a heartbeat: the last one delivered
};
std::string pull_body(int batch);
/// Pulls expire after 30 s; the server sends a heartbeat every 5 s while it has nothing to deliver.
inline constexpr duration pull_expires{30'000}, pull_beat{5'000};

std::string ack_text();
std::string retry_text(duration delay);
std::string reject_text(std::string_view reason);
std::string progress_text();

std::string last_body(std::string_view subject);
std::string at_body(std::uint64_t sequence);
std::string erase_body(std::uint64_t sequence);
/// The message of a STREAM.MSG.GET answer; nothing when it has no readable one.
std::optional<stored> read_stored(json::value const& answer);
/// Name-value pairs of a raw header block, `NATS/1.0\r\nA: b\r\n\r\n`.
headers read_headers(std::string_view raw);

}  // namespace kopiur::bus::wire
