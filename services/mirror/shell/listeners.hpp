#pragma once
#include <functional>
#include <utility>
#include <vector>

namespace kopiur::mirror {

/// Who is told of changes, in the order in which they came. They must not throw, nor come or go while they are told.
template <class... What>
class listeners {
 public:
  using listener = std::function<void(What...)>;
  /// `who`: by whom it is forgotten; whoever is told for life gives nullptr.
  void add(void const* who, listener one) { told_.emplace_back(who, std::move(one)); }
  /// All of whose listeners go.
  void forget(void const* who) {
    std::erase_if(told_, [who](auto& each) { return each.first == who; });
  }
  void tell(What... what) const {
    for (auto const& [_, each] : told_) each(what...);
  }

 private:
  std::vector<std::pair<void const*, listener>> told_;
};

}  // namespace kopiur::mirror
