#pragma once
#include <deque>
#include <map>
#include <set>

#include "common/testing/memory_stream.hpp"

namespace kopiur::testing {

/// A durable consumer of the in-memory server: which deliveries are out, until when, at which attempt.
class memory_consumer {
 public:
  /// A message delivered max_deliver times and never settled: the server gives up, the message stays.
  struct given_up {
    std::uint64_t sequence = 0;
    int deliveries = 0;
  };

  explicit memory_consumer(bus::consumer_config config) : config_(std::move(config)) {}

  bus::consumer_config const& config() const { return config_; }
  void update(bus::consumer_config config) { config_ = std::move(config); }

  /// Makes expired deliveries available again; returns those that reached max_deliver.
  std::vector<given_up> lapse(memory_stream const&, instant now);
  /// The next message to deliver: redeliveries first. Its ack wait starts now.
  std::optional<bus::delivery> next(memory_stream const&, instant now);
  /// Settles the message for good; false when it was not out.
  bool settle(std::uint64_t sequence);
  /// Schedules a redelivery at `when`, if the message is out.
  void again_at(std::uint64_t sequence, instant when);
  /// Restarts the ack wait.
  void progress(std::uint64_t sequence, instant now);
  /// When lapse() will next have work.
  std::optional<instant> due() const;
  std::size_t pending() const { return pending_.size(); }

 private:
  struct held {
    int attempt = 0;
    instant due{};
    bool out = false;  // with a worker, or waiting for its redelivery time
  };
  duration wait(int attempt) const;
  bus::delivery give(memory_stream const&, std::uint64_t sequence, instant now);
  void out_until(std::uint64_t sequence, held&, instant when);

  bus::consumer_config config_;
  std::uint64_t seen_ = 0;  // every message up to here was delivered once
  std::map<std::uint64_t, held> pending_;
  std::set<std::pair<instant, std::uint64_t>> by_due_;
  std::deque<std::uint64_t> again_;
};

}  // namespace kopiur::testing
