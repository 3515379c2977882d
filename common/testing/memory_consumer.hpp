#pragma once
#include <deque>
#include <map>
#include <set>

#include "common/testing/memory_stream.hpp"

namespace kopiur::testing {

/// A durable consumer of the in-memory server: who has what, until when, for which time.
class memory_consumer {
 public:
  /// A message that was delivered max_deliver times and never settled: the server gives up, the message stays.
  struct given_up {
    std::uint64_t sequence = 0;
    int deliveries = 0;
  };

  explicit memory_consumer(bus::consumer_config config) : config_(std::move(config)) {}

  bus::consumer_config const& config() const { return config_; }
  void update(bus::consumer_config config) { config_ = std::move(config); }

  /// Takes back what was not settled in time; what was given too often is given up.
  std::vector<given_up> lapse(memory_stream const&, instant now);
  /// The next message to be delivered: those that come again first. Its ack wait starts now.
  std::optional<bus::delivery> next(memory_stream const&, instant now);
  /// Settled for good; false when nobody had it.
  bool settle(std::uint64_t sequence);
  /// Comes again at `when`, if it is out.
  void again_at(std::uint64_t sequence, instant when);
  /// The ack wait starts again.
  void progress(std::uint64_t sequence, instant now);
  /// When lapse() will have something to do.
  std::optional<instant> due() const;
  std::size_t pending() const { return pending_.size(); }

 private:
  struct held {
    int attempt = 0;
    instant due{};
    bool out = false;  // in somebody's hands, or waiting to be given again
  };
  duration wait(int attempt) const;
  bus::delivery give(memory_stream const&, std::uint64_t sequence, instant now);
  void out_until(std::uint64_t sequence, held&, instant when);

  bus::consumer_config config_;
  std::uint64_t seen_ = 0;  // all up to here were delivered once
  std::map<std::uint64_t, held> pending_;
  std::set<std::pair<instant, std::uint64_t>> by_due_;
  std::deque<std::uint64_t> again_;
};

}  // namespace kopiur::testing
