#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/time/instant.hpp"

namespace kopiur::scheduler {

/// Who is to be looked at when: one instant per key, the earliest first, ties by key. An ordered set rather than a heap: a schedule is
/// moved and removed as often as it is popped, and that leaves nothing stale behind.
class agenda {
 public:
  agenda() = default;
  agenda(agenda const&) = delete;  // the order refers to the keys
  agenda& operator=(agenda const&) = delete;

  /// Sets or moves a key's instant.
  void set(std::string_view key, instant when);
  void erase(std::string_view key);
  /// The earliest instant.
  std::optional<instant> next() const;
  /// Takes out every key whose instant has come, in order, `most` at most.
  std::vector<std::string> take_due(instant now, std::size_t most = SIZE_MAX);
  std::size_t size() const { return times_.size(); }

 private:
  std::map<std::string, instant, std::less<>> times_;
  std::set<std::pair<instant, std::string_view>> order_;  // views of the keys in times_
};

}  // namespace kopiur::scheduler
