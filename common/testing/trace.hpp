#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "common/time/instant.hpp"

namespace kopiur::testing {

/// The last notes of a run, for people. Reuses the memory of dropped notes.
class trace_ring {
 public:
  struct line {
    std::uint64_t step = 0;
    instant time{};
    std::string who, did, what, outcome;
  };

  explicit trace_ring(std::size_t room) : lines_(room) {}
  /// The entry for the next note; it still has the texts of an old one.
  line& next() { return lines_[written_++ % lines_.size()]; }
  bool keeps() const { return !lines_.empty(); }
  /// Oldest first, one line each.
  std::string to_text() const;

 private:
  std::vector<line> lines_;
  std::size_t written_ = 0;
};

}  // namespace kopiur::testing
