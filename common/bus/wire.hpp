#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/bus/port.hpp"
#include "common/json/value.hpp"

/// What goes over the wire to JetStream and back, as text: bodies, answers, statuses, ack subjects, error codes. Pure.
namespace kopiur::bus::wire {

/// Durations are nanoseconds on the wire.
inline constexpr std::int64_t nanoseconds_a_millisecond = 1'000'000;

/// The kind of a failure by JetStream's `err_code`; 0 where the answer had none.
failure kind_of(int err_code);
/// True for the codes that say "busy" or "no leader now": the same request, a little later, may succeed.
bool is_passing(int err_code);

/// An API answer: the document, or the error that it holds. `code` keeps the server's number for the few who decide by it.
struct refusal {
  error what;
  int err_code = 0;
  std::string stream;  ///< of a refused publish: the stream that refused it
};
using answer = std::expected<json::value, refusal>;
answer read_answer(std::string_view body);

/// The PubAck of a publish; nothing but this is parsed a hundred thousand times a second, so the usual form takes a short way.
std::expected<receipt, refusal> read_receipt(std::string_view body);

/// The headers of a publication: its own, and those that tell the stream what it wants. Line breaks in values become blanks.
headers publish_headers(publication&&);
/// A header value may not hold a line break: it would end the header.
std::string one_line(std::string text);

/// `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<ns>.<pending>`, or the later form with domain and account before
/// the stream. `key` is `<stream>.<consumer>` and points into the subject.
struct ack_subject {
  std::string_view key;
  std::uint64_t delivered = 0, stream_sequence = 0, consumer_sequence = 0, pending = 0;
  instant at{};
};
std::optional<ack_subject> read_ack_subject(std::string_view reply);

/// What an empty message without a reply says to a pull.
struct pull_status {
  int code = 0;
  std::string text;
  std::optional<int> pending;                      ///< credit that comes back
  std::optional<std::uint64_t> consumer_sequence;  ///< of a heartbeat: the last that was delivered
};
std::string pull_body(int batch);
/// Pulls live 30 s at most; the server beats every 5 s while it has nothing to give.
inline constexpr duration pull_expires{30'000}, pull_beat{5'000};

std::string ack_text();
std::string retry_text(duration delay);
std::string reject_text(std::string_view reason);
std::string progress_text();

std::string last_body(std::string_view subject);
std::string at_body(std::uint64_t sequence);
std::string erase_body(std::uint64_t sequence);
/// The message of a STREAM.MSG.GET answer; nothing when it has none that can be read.
std::optional<stored> read_stored(json::value const& answer);
/// Name-value pairs of a raw header block, `NATS/1.0\r\nA: b\r\n\r\n`.
headers read_headers(std::string_view raw);

}  // namespace kopiur::bus::wire
