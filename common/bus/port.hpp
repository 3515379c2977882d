#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/describe.hpp>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/time/instant.hpp"

/// The bus as services see it: NATS JetStream in production (nats_port.hpp), in memory on virtual time in the simulation (common/testing).
/// Both pass one conformance suite (test/conformance.hpp). Every failure is a value; only cancellation throws
/// (boost::system::system_error).
namespace kopiur::bus {

namespace asio = boost::asio;

/// Message headers. Names compare without case; the first header of a name counts.
using headers = std::vector<std::pair<std::string, std::string>>;
/// The value of a header, empty when absent.
std::string_view header(headers const&, std::string_view name);
/// Size of a message in bytes, as a server counts it against its `max_payload`.
std::size_t bytes_on_wire(std::string_view body, headers const&);

enum class failure {
  timed_out,       ///< no answer within the limit; the effect may have happened
  no_responders,   ///< no subscriber: no stream owns the subject
  wrong_sequence,  ///< compare-and-set lost; `actual` when the server reported it
  limit,           ///< a stream is full (discard new): back-pressure
  too_large,       ///< more bytes than the server accepts in a message: no retry helps
  refused,         ///< permissions, or a request the server does not accept; `text` says which
  disconnected,    ///< the connection broke while waiting; the effect may have happened
  closed,          ///< this bus was closed
  not_found,       ///< no such stream, consumer or message
  other            ///< any other answer of the server: `text` has it
};
BOOST_DESCRIBE_ENUM(failure, timed_out, no_responders, wrong_sequence, limit, too_large, refused, disconnected, closed, not_found, other)

struct error {
  failure kind = failure::other;
  std::string text;                     ///< for people: what was tried, and the result
  std::optional<std::uint64_t> actual;  ///< wrong_sequence: the subject's last sequence, where known
};
template <class T>
using result = std::expected<T, error>;

/// A message to be stored by the stream that owns its subject.
struct publication {
  std::string subject;
  std::string body;
  headers head;
  std::string id;                           ///< Nats-Msg-Id: absorbs retries within the stream's window; empty = none
  std::optional<std::uint64_t> expected;    ///< compare-and-set: the subject's last sequence; 0 = the subject must not exist. If the
                                            ///< stored message has the same id, this is a duplicate, not a failure, however old it is
  std::optional<std::chrono::seconds> ttl;  ///< Nats-TTL; the server removes the message when it expires
  bool rollup = false;                      ///< replaces all earlier messages on this subject
};
struct receipt {
  std::string stream;
  std::uint64_t sequence = 0;
  bool duplicate = false;  ///< already stored under the same id; `sequence` is where
};

/// A message as a stream stores it. Headers with instructions to the stream stay in `head` (Nats-Msg-Id, Nats-TTL, Nats-Rollup).
struct stored {
  std::string subject;
  std::string body;
  headers head;
  std::uint64_t sequence = 0;
  instant time{};
};
/// The bytes of its body, which a consumer with `headers_only` leaves out.
std::size_t body_size(stored const&);
/// A stored message delivered to a worker, which settles it by its ticket.
struct delivery {
  stored message;
  std::string ticket;  ///< opaque; the ack subject on NATS
  int attempt = 1;     ///< 1 at the first delivery
};

/// Pulls from a durable consumer, shared with all others that pull from the same one. Credit: at most `window` deliveries are unsettled.
class worker {
 public:
  virtual ~worker() = default;
  /// The next message; waits forever, survives reconnects and leader changes. Can be cancelled; the next call then returns the message.
  virtual asio::awaitable<delivery> next() = 0;
  virtual void ack(delivery const&) = 0;
  /// Only when the handler's own I/O failed. "Not now" is state: the handler records it and acks.
  virtual void retry(delivery const&, duration delay) = 0;
  /// Poison message: never delivered again, and stored as a dead letter with this reason (see dead_letters.hpp). A work queue forgets the
  /// message, so the copy is stored first.
  virtual void reject(delivery const&, std::string reason) = 0;
  /// Still in progress: restarts the ack wait.
  virtual void progress(delivery const&) = 0;
};

/// Every message that existed at the start of the feed (or at the last restart) has been delivered.
struct caught_up {
  std::uint64_t sequence = 0;  ///< nothing under the filters up to it is missing; 0 = there was nothing
};
/// The feed starts over (a gap, a lost server): all subjects come again, then caught_up. A subject that does not come again was deleted.
struct restarted {};
using feed_item = std::variant<stored, caught_up, restarted>;

/// The last message of each subject under the filters, then everything new, in the stream's order, for this reader alone.
class feed {
 public:
  virtual ~feed() = default;
  /// The next item; waits forever, recovers with `restarted`. Can be cancelled; the next call then returns the item.
  virtual asio::awaitable<feed_item> next() = 0;
};

/// Messages without storage, at most once. A slow reader loses the oldest.
class listener {
 public:
  virtual ~listener() = default;
  virtual asio::awaitable<stored> next() = 0;
};

/// Configuration of a stream. Each field is compared with the server's echo, because an old server silently drops what it does not know.
struct stream_config {
  enum class retention_policy { limits, workqueue };
  enum class discard_policy { old, fresh };  ///< `fresh` refuses new messages: JetStream's "new"
  std::string name;
  std::vector<std::string> subjects;
  retention_policy retention = retention_policy::limits;
  discard_policy discard = discard_policy::old;
  std::int64_t max_per_subject = -1;
  bool discard_new_per_subject = false;
  duration max_age{0};  ///< 0 = none
  std::int64_t max_bytes = -1;
  std::int32_t max_message = -1;  ///< bytes
  duration duplicates{std::chrono::minutes(2)};
  bool allow_ttl = false;
  bool allow_rollup = false;
  bool memory = false;  ///< for tests: no file
  int replicas = 1;
};
struct consumer_config {
  std::string stream;
  std::string name;
  std::vector<std::string> filters;  ///< none = all subjects
  int max_ack_pending = 256;
  int max_deliver = 8;
  std::vector<duration> backoff;  ///< the first is the ack wait; fewer entries than max_deliver
  bool headers_only = false;      ///< messages come without bodies, and say how long these are (`body_size`)
};
struct stream_info {
  std::string created;  ///< creation time as the server's text: a new one means that the stream was lost
  std::uint64_t first_sequence = 0, last_sequence = 0, messages = 0;
};

/// One connection to the bus.
class port {
 public:
  virtual ~port() = default;

  /// Stores a message. Retries a lost answer under the same id for up to 30 s (a leader change takes 8 s). Without an id and without
  /// `expected`, a retry may store the message twice.
  virtual asio::awaitable<result<receipt>> publish(publication) = 0;
  /// Sends without storage and without an answer.
  virtual void tell(std::string subject, std::string body, headers head = {}) = 0;
  /// The last message on a subject as the stream's leader has it, or nothing; with wildcards the last of all that match.
  virtual asio::awaitable<result<std::optional<stored>>> last(std::string stream, std::string subject) = 0;
  /// One message by sequence.
  virtual asio::awaitable<result<std::optional<stored>>> at(std::string stream, std::uint64_t sequence) = 0;
  /// Deletes one message by sequence; true when it existed.
  virtual asio::awaitable<result<bool>> erase(std::string stream, std::uint64_t sequence) = 0;

  virtual std::unique_ptr<worker> work(std::string stream, std::string durable, int window) = 0;
  virtual std::unique_ptr<feed> follow(std::string stream, std::vector<std::string> filters) = 0;
  virtual std::unique_ptr<listener> listen(std::string subject) = 0;

  /// Creates or updates; `refused` when the existing one cannot be changed into this, or when the server's echo differs from the request.
  virtual asio::awaitable<result<stream_info>> ensure(stream_config) = 0;
  virtual asio::awaitable<result<void>> ensure(consumer_config) = 0;
  virtual asio::awaitable<result<stream_info>> info(std::string stream) = 0;
};

}  // namespace kopiur::bus
