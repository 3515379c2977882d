#include "services/controller/core/actions.hpp"

#include <algorithm>
#include <iterator>

namespace kopiur::controller {

void add(actions& needs, actions more) {
  std::ranges::move(more.orders, std::back_inserter(needs.orders));
  std::ranges::move(more.asks, std::back_inserter(needs.asks));
  std::ranges::move(more.statuses, std::back_inserter(needs.statuses));
  needs.wake = soonest(needs.wake, more.wake);
}

}  // namespace kopiur::controller
