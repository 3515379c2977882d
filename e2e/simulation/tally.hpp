#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/bus/port.hpp"
#include "services/controller/core/decoding.hpp"

namespace kopiur::simulation {

/// What a run was made of: how often each kind of event, stage, plan, order, fault, user's act and check came.
class tally {
 public:
  void add(std::string const& what, std::uint64_t n = 1) { counts_[what] += n; }
  void add(tally const& other);
  /// Counts what a message of a stream says.
  void message(std::string const& stream, bus::stored const& message, controller::shared_decoder& decoder);

  std::uint64_t of(std::string const& what) const;
  /// The sum of all whose name begins so.
  std::uint64_t under(std::string const& prefix) const;
  std::map<std::string, std::uint64_t> const& all() const { return counts_; }

  /// What hours of load fail to show (decisions.md section 12), a sentence each: a kind that never came, or too few an hour. What comes
  /// rarely is demanded of a thousand hours and more.
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
