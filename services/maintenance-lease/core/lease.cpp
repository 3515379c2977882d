#include "services/maintenance-lease/core/lease.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>
#include <utility>

namespace kopiur::maintenance_lease {

using namespace proto;

namespace {

bool is(auto const& one, std::string_view cluster, std::string_view run) { return one.cluster == cluster && one.run == run; }

/// Whether this run may hold the lease together with its holders and with the unrecorded ones.
bool fits(lease_state const& state, auto const& asker, unrecorded_holders const& beside) {
  auto strange = beside | std::views::filter([&](auto& one) { return !is(one, asker.cluster, asker.run); });
  auto there = state.holders.size() + static_cast<std::size_t>(std::ranges::distance(strange));
  if (there == 0) return true;
  auto alone = [](auto& one) { return one.mode == lease_mode::Exclusive; };
  if (alone(asker) || std::ranges::any_of(state.holders, alone) || std::ranges::any_of(strange, alone)) return false;
  return asker.slots == 0 || std::cmp_less(there, asker.slots);
}

/// The lifetime of a grant or of a waiter, extended for each of the `others`.
duration beside(std::size_t others, duration alone, policy const& rule) {
  return alone + rule.longer_for_each * static_cast<std::int64_t>(others);
}

change grant(lease_state state, std::string cluster, std::string run, lease_mode mode, std::uint64_t fence, instant now,
             policy const& rule) {
  std::erase_if(state.waiters, [&](auto& w) { return is(w, cluster, run); });
  auto until = now + beside(state.holders.size(), rule.ttl, rule);
  state.holders.push_back({.cluster = std::move(cluster), .run = run, .mode = mode, .until = until, .fence = fence});
  return {lease_granted{.run = std::move(run), .fence = fence}, std::move(state)};
}

/// Queue order: higher priority first, then older. A waiting exclusive request blocks the shared ones behind it.
bool before(lease_waiter const& a, lease_waiter const& b) { return std::tuple(b.priority, a.since) < std::tuple(a.priority, b.since); }

std::optional<change> acquire(lease_state const& state, acquire_lease const& ask, std::uint64_t fence, instant now, policy const& rule,
                              unrecorded_holders const& others) {
  if (holder(state, ask.cluster, ask.run)) return {};
  auto next = state;
  if (!ask.wait) {
    if (!state.waiters.empty() || !fits(state, ask, others)) return {};
    return grant(std::move(next), ask.cluster, ask.run, ask.mode, fence, now, rule);
  }
  auto mine = std::ranges::find_if(next.waiters, [&](auto& w) { return is(w, ask.cluster, ask.run); });
  bool asked_before = mine != next.waiters.end();
  if (asked_before) {
    // A repeated request is written only after half of the patience, to limit writes.
    if (mine->until - now > rule.patience / 2) return {};
    mine->until = now + beside(state.waiters.size() - 1, rule.patience, rule);
  } else {
    lease_waiter fresh{.cluster = ask.cluster,
                       .run = ask.run,
                       .mode = ask.mode,
                       .priority = ask.priority,
                       .since = now,
                       .until = now + beside(state.waiters.size(), rule.patience, rule),
                       .slots = ask.slots};
    next.waiters.insert(std::ranges::upper_bound(next.waiters, fresh, before), std::move(fresh));  // behind its equals: FIFO
  }
  bool first = is(next.waiters.front(), ask.cluster, ask.run);
  if (first && fits(next, ask, others)) return grant(std::move(next), ask.cluster, ask.run, ask.mode, fence, now, rule);
  return change{lease_queued{.run = ask.run}, std::move(next)};
}

std::optional<change> renew(lease_state const& state, renew_lease const& ask, instant now, policy const& rule) {
  auto next = state;
  auto mine = std::ranges::find_if(next.holders, [&](auto& h) { return is(h, ask.cluster, ask.run); });
  if (mine == next.holders.end()) return {};
  auto until = now + beside(state.holders.size() - 1, rule.ttl, rule);
  if (mine->until >= until) return {};
  mine->until = until;
  return change{lease_renewed{.run = ask.run}, std::move(next)};
}

std::optional<change> release(lease_state const& state, release_lease const& ask) {
  auto next = state;
  auto gone = std::erase_if(next.holders, [&](auto& h) { return is(h, ask.cluster, ask.run); }) +
              std::erase_if(next.waiters, [&](auto& w) { return is(w, ask.cluster, ask.run); });
  if (gone == 0) return {};
  return change{lease_released{.run = ask.run}, std::move(next)};
}

}  // namespace

lease_holder const* holder(lease_state const& state, std::string_view cluster, std::string_view run) {
  auto found = std::ranges::find_if(state.holders, [&](auto& h) { return is(h, cluster, run); });
  return found == state.holders.end() ? nullptr : &*found;
}

std::optional<change> decide(lease_state const& state, lease_request const& request, std::uint64_t next_fence, instant now,
                             policy const& rule, unrecorded_holders const& beside) {
  if (auto* ask = std::get_if<acquire_lease>(&request)) return acquire(state, *ask, next_fence, now, rule, beside);
  if (auto* ask = std::get_if<renew_lease>(&request)) return renew(state, *ask, now, rule);
  return release(state, std::get<release_lease>(request));
}

std::optional<change> tick(lease_state const& state, std::uint64_t next_fence, instant now, policy const& rule, proof_of_end const& ended,
                           unrecorded_holders const& beside) {
  for (auto& each : state.holders) {
    auto proof = each.until < now ? ended(each) : std::nullopt;
    if (!proof) continue;
    auto next = state;
    std::erase_if(next.holders, [&](auto& h) { return is(h, each.cluster, each.run); });
    return change{lease_taken_over{.run = each.run, .proof = *proof}, std::move(next)};
  }
  for (auto& each : state.waiters) {
    if (each.until >= now) continue;
    auto next = state;
    std::erase_if(next.waiters, [&](auto& w) { return is(w, each.cluster, each.run); });
    return change{lease_released{.run = each.run}, std::move(next)};
  }
  if (state.waiters.empty()) return {};
  auto first = state.waiters.front();
  if (!fits(state, first, beside)) return {};
  return grant(state, first.cluster, first.run, first.mode, next_fence, now, rule);
}

std::optional<instant> next_tick(lease_state const& state) {
  std::optional<instant> soonest;
  auto consider = [&](instant time) { soonest = soonest ? std::min(*soonest, time) : time; };
  for (auto& each : state.holders) consider(each.until + duration(1));
  for (auto& each : state.waiters) consider(each.until + duration(1));
  return soonest;
}

}  // namespace kopiur::maintenance_lease
