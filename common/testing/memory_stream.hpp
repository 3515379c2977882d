#pragma once
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/bus/port.hpp"

namespace kopiur::testing {

/// A server's two clocks: durations use the steady one, timestamps of messages the wall clock.
struct server_time {
  instant steady{};
  instant wall{};
};

/// An error for a message that cannot be sent, or a request that cannot be met.
std::unexpected<bus::error> refusal(bus::failure kind, std::string text);

/// One stream of the in-memory server, with JetStream's rules; plain data, no waiting. Call expire() before anything else.
class memory_stream {
 public:
  using messages = std::map<std::uint64_t, bus::stored>;

  memory_stream(bus::stream_config config, std::string created) : config_(std::move(config)), created_(std::move(created)) {}

  bus::stream_config const& config() const { return config_; }
  void update(bus::stream_config config) { config_ = std::move(config); }
  std::string const& created() const { return created_; }
  bool owns(std::string_view subject) const;

  /// Order of the checks as in nats-server: size, compare-and-set and id (servers differ in which comes first), limits.
  bus::result<bus::receipt> store(bus::publication const&, server_time now, bool ids_first = false);
  /// The newest message under the filter.
  bus::stored const* last(std::string_view filter) const;
  bus::stored const* at(std::uint64_t sequence) const;
  bool erase(std::uint64_t sequence);
  /// Erases all messages under the filter; returns how many.
  std::size_t purge(std::string_view filter);
  /// Drops expired messages, and forgets ids that left the window.
  void expire(instant steady);

  /// The sequence of the last message of each subject under the filters (none = all), in stream order.
  std::vector<std::uint64_t> last_of_each(std::vector<std::string> const& filters) const;
  /// The first message under the filters after `sequence`.
  bus::stored const* first_after(std::uint64_t sequence, std::vector<std::string> const& filters) const;
  messages const& all() const { return messages_; }
  std::uint64_t last_sequence() const { return last_sequence_; }
  bus::stream_info info() const;

 private:
  std::optional<bus::error> objection(bus::publication const&) const;
  std::optional<bus::receipt> known(bus::publication const&) const;
  std::optional<bus::error> lost_race(bus::publication const&) const;
  std::optional<bus::error> no_room(bus::publication const&, std::int64_t size) const;
  void make_room(bus::publication const&);
  std::vector<std::uint64_t> const* of(std::string_view subject) const;

  bus::stream_config config_;
  std::string created_;
  messages messages_;
  std::map<std::string, std::vector<std::uint64_t>, std::less<>> subjects_;
  std::uint64_t last_sequence_ = 0;
  std::int64_t bytes_ = 0;
  std::unordered_map<std::string, std::uint64_t> ids_;
  std::deque<std::pair<instant, std::string>> ids_by_age_;
  std::deque<std::pair<instant, std::uint64_t>> by_age_;  // only when the stream has a max_age
  std::multimap<instant, std::uint64_t> dying_;           // by TTL
};

/// True when the subject matches one of the filters; no filters = all.
bool under_any(std::vector<std::string> const& filters, std::string_view subject);
/// True when some subject matches both filters.
bool overlap(std::string_view one, std::string_view other);

}  // namespace kopiur::testing
