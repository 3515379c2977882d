#include "services/scheduler/core/agenda.hpp"

namespace kopiur::scheduler {

void agenda::set(std::string_view key, instant when) {
  auto at = times_.lower_bound(key);
  if (at != times_.end() && at->first == key) {
    if (at->second == when) return;
    auto node = order_.extract({at->second, at->first});
    node.value().first = when;
    order_.insert(std::move(node));
    at->second = when;
    return;
  }
  at = times_.emplace_hint(at, std::string(key), when);
  order_.emplace(when, at->first);
}

void agenda::erase(std::string_view key) {
  auto at = times_.find(key);
  if (at == times_.end()) return;
  order_.erase({at->second, at->first});
  times_.erase(at);
}

std::optional<instant> agenda::next() const {
  if (order_.empty()) return {};
  return order_.begin()->first;
}

std::vector<std::string> agenda::take_due(instant now, std::size_t most) {
  std::vector<std::string> due;
  while (due.size() < most && !order_.empty() && order_.begin()->first <= now) {
    due.emplace_back(order_.begin()->second);
    erase(due.back());
  }
  return due;
}

}  // namespace kopiur::scheduler
