#include "services/maintenance-lease/core/lease.hpp"

#include <algorithm>
#include <ranges>
#include <utility>

namespace kopiur::maintenance_lease {

using namespace proto;

namespace {

bool is(auto const& one, std::string_view cluster, std::string_view run) { return one.cluster == cluster && one.run == run; }

/// Whether this run may hold the lease together with its holders and with the unrecorded ones.
bool fits(sight const& seen, auto const& asker) {
  auto strange = seen.beside | std::views::filter([&](auto& one) { return !is(one, asker.cluster, asker.run); });
  auto there = seen.state.holders.size() + static_cast<std::size_t>(std::ranges::distance(strange));
  if (there == 0) return true;
  auto alone = [](auto& one) { return one.mode == lease_mode::Exclusive; };
  if (alone(asker) || std::ranges::any_of(seen.state.holders, alone) || std::ranges::any_of(strange, alone)) return false;
  return there < most_holders && (asker.slots == 0 || std::cmp_less(there, asker.slots));
}

/// The lifetime of a grant or of a waiter, extended for each of the `others`.
duration beside(std::size_t others, duration alone, policy const& rule) {
  return alone + rule.longer_for_each * static_cast<std::int64_t>(others);
}

change grant(sight const& seen, auto const& asker, policy const& rule) {
  auto next = seen.state;
  auto until = seen.now + beside(next.holders.size(), rule.ttl, rule);
  next.holders.push_back({.cluster = asker.cluster, .run = asker.run, .mode = asker.mode, .until = until, .fence = seen.next_fence});
  return {lease_granted{.run = asker.run, .fence = seen.next_fence}, std::move(next)};
}

/// A new entry stands behind its equals. A waiting exclusive request blocks the shared ones behind it.
lease_waiter new_waiter(acquire_lease const& ask, instant now) {
  return {
      .cluster = ask.cluster, .run = ask.run, .mode = ask.mode, .priority = ask.priority, .since = now, .slots = ask.slots, .key = ask.key};
}

outcome acquire(sight const& seen, acquire_lease const& ask, std::optional<lease_waiter> mine, policy const& rule) {
  if (holder(seen.state, ask.cluster, ask.run)) return {};
  if (!ask.wait) return seen.queue.empty() && fits(seen, ask) ? outcome(grant(seen, ask, rule)) : outcome();
  bool asked_before = mine.has_value();
  auto waiter = asked_before ? *std::move(mine) : new_waiter(ask, seen.now);
  auto* first = seen.queue.first();
  bool is_first = !first || is(*first, ask.cluster, ask.run) || controller::goes_before(waiter, *first);
  if (is_first && fits(seen, ask)) return grant(seen, ask, rule);
  // A repeated request is written only after half of the patience, to limit writes.
  if (asked_before && waiter.until - seen.now > rule.patience / 2) return {};
  waiter.until = seen.now + beside(seen.queue.size(), rule.patience, rule);
  return queued{std::move(waiter)};
}

outcome renew(sight const& seen, renew_lease const& ask, policy const& rule) {
  auto next = seen.state;
  auto mine = std::ranges::find_if(next.holders, [&](auto& h) { return is(h, ask.cluster, ask.run); });
  if (mine == next.holders.end()) return {};
  auto until = seen.now + beside(next.holders.size() - 1, rule.ttl, rule);
  if (mine->until >= until) return {};
  mine->until = until;
  return change{lease_renewed{.run = ask.run}, std::move(next)};
}

outcome release(sight const& seen, release_lease const& ask) {
  auto next = without(seen.state, ask.cluster, ask.run);
  return next ? outcome(change{lease_released{.run = ask.run}, *std::move(next)}) : outcome();
}

}  // namespace

lease_holder const* holder(lease_state const& state, std::string_view cluster, std::string_view run) {
  auto found = std::ranges::find_if(state.holders, [&](auto& h) { return is(h, cluster, run); });
  return found == state.holders.end() ? nullptr : &*found;
}

std::optional<lease_state> without(lease_state state, std::string_view cluster, std::string_view run) {
  auto gone = std::erase_if(state.holders, [&](auto& h) { return is(h, cluster, run); });
  return gone == 0 ? std::nullopt : std::optional(std::move(state));
}

outcome decide(sight const& seen, lease_request const& request, std::optional<lease_waiter> mine, policy const& rule) {
  if (auto* ask = std::get_if<acquire_lease>(&request)) return acquire(seen, *ask, std::move(mine), rule);
  if (auto* ask = std::get_if<renew_lease>(&request)) return renew(seen, *ask, rule);
  return release(seen, std::get<release_lease>(request));
}

outcome tick(sight const& seen, policy const& rule, proof_of_end const& ended) {
  for (auto& each : seen.state.holders) {
    auto proof = each.until < seen.now ? ended(each) : std::nullopt;
    if (proof) return change{lease_taken_over{.run = each.run, .proof = *proof}, *without(seen.state, each.cluster, each.run)};
  }
  auto* silent = seen.queue.first_to_expire();
  if (silent && silent->until < seen.now) return dropped{*silent};
  auto* first = seen.queue.first();
  if (!first) return {};
  if (holder(seen.state, first->cluster, first->run)) return dropped{*first};
  return fits(seen, *first) ? outcome(grant(seen, *first, rule)) : outcome();
}

std::optional<instant> next_tick(lease_state const& state, controller::lease_queue const& queue) {
  std::optional<instant> soonest;
  auto consider = [&](instant time) { soonest = soonest ? std::min(*soonest, time) : time; };
  for (auto& each : state.holders) consider(each.until + duration(1));
  if (auto* silent = queue.first_to_expire()) consider(silent->until + duration(1));
  return soonest;
}

}  // namespace kopiur::maintenance_lease
