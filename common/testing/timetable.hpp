#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/time/instant.hpp"

namespace kopiur::testing {

/// Due entries, soonest first; at one instant in the order of `tie`. A heap of small values: no allocation for each.
class timetable {
 public:
  struct entry {
    instant when{};
    std::uint64_t tie = 0;
    std::uint32_t slot = 0, turn = 0;  ///< index of the wait or event; an entry with an old `turn` is void
    bool event = false;
  };

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  entry const& soonest() const { return heap_.front(); }
  void push(entry one) {
    heap_.push_back(one);
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    heap_.pop_back();
  }
  /// Drops the entries for which `is_void` is true; O(n).
  template <class IsVoid>
  void sweep(IsVoid is_void) {
    std::erase_if(heap_, is_void);
    std::make_heap(heap_.begin(), heap_.end(), later);
  }

 private:
  static bool later(entry const& a, entry const& b) { return a.when != b.when ? a.when > b.when : a.tie > b.tie; }
  std::vector<entry> heap_;
};

}  // namespace kopiur::testing
