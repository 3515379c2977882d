#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/bus/port.hpp"
#include "services/controller/core/decoding.hpp"

namespace kopiur::simulation {

/// What a run consisted of: how often each kind of event, stage, plan, order, fault, user act and check occurred.
class tally {
 public:
  void add(std::string const& what, std::uint64_t n = 1) { counts_[what] += n; }
  void add(tally const& other);
  /// Counts the event in a message of a stream.
  void message(std::string const& stream, bus::stored const& message, controller::shared_decoder& decoder);

  std::uint64_t of(std::string const& what) const;
  /// The sum of all counts whose name has this prefix.
  std::uint64_t under(std::string const& prefix) const;
  std::map<std::string, std::uint64_t> const& all() const { return counts_; }

  /// What so many hours of load failed to show (decisions.md section 12), one sentence each: a kind that never occurred, or too few per
  /// hour. Rare kinds are only required of a thousand hours and more.
  std::vector<std::string> shortfalls(std::uint64_t hours) const;
  static std::vector<std::string> rare();
  /// Runs, edits or deletions, and faults per hour.
  std::string per_hour(std::uint64_t hours) const;

 private:
  void run_fact(bus::stored const& message, controller::shared_decoder& decoder);
  void schedule_fact(bus::stored const& message, controller::shared_decoder& decoder);
  std::map<std::string, std::uint64_t> counts_;
};

}  // namespace kopiur::simulation
