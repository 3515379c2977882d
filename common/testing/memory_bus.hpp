#pragma once
#include <functional>

#include "common/testing/memory_consumer.hpp"
#include "common/testing/memory_stream.hpp"

namespace kopiur::testing {

/// How a delivery is settled.
struct settlement {
  enum class kind { acked, again, rejected, in_progress };
  kind decision = kind::acked;
  duration delay{0};   ///< again: not before
  std::string reason;  ///< rejected
};

/// The server side of the bus: JetStream's streams and durables in memory. A plain synchronous data structure: its results depend only on
/// the calls and the given clock. Invariants of a simulation read it directly.
class memory_bus {
 public:
  using clock = std::function<server_time()>;
  using told = std::function<void(memory_stream const&, bus::stored const&)>;

  explicit memory_bus(clock now) : now_(std::move(now)) {}

  bus::result<bus::receipt> publish(bus::publication const&);
  std::size_t max_payload = 4 << 20;                     ///< bytes of the largest message
  bus::failure above_payload = bus::failure::too_large;  ///< the error for a larger one
  bus::result<std::optional<bus::stored>> last(std::string const& stream, std::string const& subject);
  bus::result<std::optional<bus::stored>> at(std::string const& stream, std::uint64_t sequence);
  bus::result<bool> erase(std::string const& stream, std::uint64_t sequence);
  bus::result<std::size_t> purge(std::string const& stream, std::string const& filter);
  bus::result<bus::stream_info> ensure(bus::stream_config const&);
  bus::result<void> ensure(bus::consumer_config const&);
  bus::result<bus::stream_info> info(std::string const& stream);

  /// The next message of a durable, now delivered; nothing when there is none, or the durable does not exist.
  std::optional<bus::delivery> deliver(std::string const& stream, std::string const& durable);
  /// Ignores a delivery from a stream that was lost since.
  void settle(std::string const& stream, std::string const& durable, bus::delivery const&, settlement const&);
  /// Makes expired deliveries available again; publishes the advisories for those that reached max_deliver.
  void lapse(std::string const& stream, std::string const& durable);
  std::optional<instant> due(std::string const& stream, std::string const& durable) const;

  /// Servers differ. A single one compares the sequence first, so a repeated id conflicts with its own write; a cluster looks for the id
  /// first.
  bool ids_first = false;

  /// The stream in its current state, or nullptr.
  memory_stream* find(std::string const& stream);
  /// The stream that owns the subject, or nullptr.
  memory_stream* owner(std::string_view subject);
  /// Empties and recreates all streams: sequences start at 1, `created` changes, durables start over.
  void lose_all();
  /// Adds a hook that is called for each stored message.
  void on_stored(told hook) { told_.push_back(std::move(hook)); }
  /// Called before each message is stored; false: it is lost, although the sender gets a success. For planted bugs.
  void on_publish(std::function<bool(bus::publication const&)> keeps) { keeps_ = std::move(keeps); }
  /// Called with the stream's name when it, or a durable of it, was created or changed.
  void on_made(std::function<void(std::string const&)> hook) { made_ = std::move(hook); }

 private:
  struct shelf {
    memory_stream stream;
    std::map<std::string, memory_consumer> consumers;
  };
  shelf* shelf_of(std::string const& stream);
  memory_consumer* consumer(std::string const& stream, std::string const& durable);
  std::optional<bus::error> objection(bus::stream_config const&) const;
  bus::result<void> objection(bus::consumer_config const&, shelf const&) const;
  std::string new_created();

  clock now_;
  std::vector<told> told_;
  std::function<bool(bus::publication const&)> keeps_;
  std::function<void(std::string const&)> made_;
  std::map<std::string, shelf> shelves_;
  int streams_made_ = 0;
};

}  // namespace kopiur::testing
