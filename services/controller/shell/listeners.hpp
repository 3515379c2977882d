#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace kopiur::controller {

/// Callbacks for changes, called in the order in which they were added. They must not throw, and must not add or remove listeners.
template <class... What>
class listeners {
 public:
  using listener = std::function<void(What...)>;
  /// `who`: the name under which it is removed; nullptr for one that is never removed.
  void add(void const* who, listener one) { told_.emplace_back(who, std::move(one)); }
  /// Removes all listeners of that name.
  void forget(void const* who) {
    std::erase_if(told_, [who](auto& each) { return each.first == who; });
  }
  void tell(What... what) const {
    for (auto const& [_, each] : told_) each(what...);
  }

 private:
  std::vector<std::pair<void const*, listener>> told_;
};

}  // namespace kopiur::controller
