#include "services/controller/core/actions.hpp"

#include <algorithm>
#include <iterator>

namespace kopiur::controller {

void add(actions& to, actions more) {
  std::ranges::move(more.orders, std::back_inserter(to.orders));
  std::ranges::move(more.asks, std::back_inserter(to.asks));
  std::ranges::move(more.statuses, std::back_inserter(to.statuses));
  to.wake = soonest(to.wake, more.wake);
}

}  // namespace kopiur::controller
