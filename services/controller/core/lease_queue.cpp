#include "services/controller/core/lease_queue.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>

namespace kopiur::controller {

namespace {

auto place(std::vector<proto::lease_waiter const*> const& order, proto::lease_waiter const& one) {
  return std::ranges::lower_bound(order, one, goes_before, [](auto* each) -> auto& { return *each; });
}

}  // namespace

bool goes_before(proto::lease_waiter const& a, proto::lease_waiter const& b) {
  return std::tie(b.priority, a.since, a.cluster, a.run) < std::tie(a.priority, b.since, b.cluster, b.run);
}

void lease_queue::put(proto::lease_waiter waiter) {
  remove(waiter.cluster, waiter.run);
  run_id id{waiter.cluster, waiter.run};
  auto& kept = all_.emplace(std::move(id), std::move(waiter)).first->second;
  order_.insert(place(order_, kept), &kept);
  ends_.emplace(kept.until, &kept);
  ++clusters_[kept.cluster];
}

void lease_queue::remove(std::string const& cluster, std::string const& run) {
  auto found = all_.find({cluster, run});
  if (found == all_.end()) return;
  auto& gone = found->second;
  order_.erase(place(order_, gone));
  ends_.erase({gone.until, &gone});
  if (auto left = clusters_.find(cluster); --left->second == 0) clusters_.erase(left);
  all_.erase(found);
}

proto::lease_waiter const* lease_queue::find(std::string const& cluster, std::string const& run) const {
  auto found = all_.find({cluster, run});
  return found == all_.end() ? nullptr : &found->second;
}

std::size_t lease_queue::ahead_of(proto::lease_waiter const& waiter) const {
  return static_cast<std::size_t>(place(order_, waiter) - order_.begin());
}

std::vector<std::string> lease_queue::clusters() const {
  auto names = clusters_ | std::views::keys;
  return {names.begin(), names.end()};
}

}  // namespace kopiur::controller
