#include "services/maintenance-lease/shell/lease_store.hpp"

#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/events/run.hpp"
#include "proto/subjects.hpp"

namespace kopiur::maintenance_lease {

using namespace proto;
namespace asio = boost::asio;

namespace {
constexpr std::chrono::seconds free_lease_is_kept = std::chrono::hours(24 * 7);
/// Long enough for every view to read that a waiter has left; one that was away sees it missing.
constexpr std::chrono::seconds removed_waiter_is_kept = std::chrono::minutes(10);
}  // namespace

asio::awaitable<std::optional<lease_store::entry>> lease_store::write(entry before, change one) {
  auto* granted = std::get_if<lease_granted>(&one.event);
  auto* waits = granted ? waiter_of(one.state) : nullptr;
  if (!waits) co_return co_await write_state(before, std::move(one));
  auto waiter = *waits;
  auto there = co_await read_waiter(waiter.key, waiter.cluster, waiter.run);
  if (!there.waiter) co_return before;
  auto now = co_await write_state(before, std::move(one));
  if (!now || co_await remove(waiter, there.sequence)) co_return now;
  // It has repeated its request, or released the lease before it got it.
  if (co_await remove(waiter)) co_return now;
  while (auto left = without(now->state, waiter.cluster, waiter.run)) {
    auto undone = co_await write_state(*now, {lease_released{.run = waiter.run}, *std::move(left)});
    now = undone ? std::move(undone) : co_await read_state(waiter.key);
  }
  co_return now;
}

/// The entry of the newest holder in the queue; nullptr: it has none.
lease_waiter const* lease_store::waiter_of(lease_state const& state) const {
  return book_.queue(state.key).find(state.holders.back().cluster, state.holders.back().run);
}

asio::awaitable<std::optional<lease_store::entry>> lease_store::write_state(entry const& before, change one) {
  auto key = one.state.key;
  auto type = std::visit([](auto& e) { return std::string(e.type); }, one.event);
  bus::publication message{.subject = subjects::lease(key),
                           .body = json::write(one.state),
                           .head = envelope(type, service_, key + "." + std::to_string(before.sequence), time_.now()),
                           .expected = before.sequence};
  // The run that the event is about: a run that was just removed is no longer in the state.
  message.head.emplace_back(proto::subject_run, std::visit([](auto& e) { return e.run; }, one.event));
  if (one.state.holders.empty()) message.ttl = free_lease_is_kept, message.rollup = true;
  auto stored = co_await publish(std::move(message), key);
  if (!stored) co_return std::nullopt;
  bool from_queue = std::holds_alternative<lease_granted>(one.event) && waiter_of(one.state);
  log_.debug(type, {{"key", key}, {"holders", one.state.holders.size()}, {"waiters", book_.queue(key).size() - (from_queue ? 1 : 0)}});
  co_return entry{std::move(one.state), *stored};
}

std::optional<lease_store::entry> lease_store::seen(std::string const& key) const {
  auto* known = book_.find(key);
  if (!known) return entry{.state = {.key = key}};
  return known->state.waiters.empty() ? std::optional(*known) : std::nullopt;
}

asio::awaitable<lease_store::entry> lease_store::read(std::string key) {
  auto found = co_await read_state(key);
  while (!found.state.waiters.empty()) {
    auto next = found.state;
    auto first = next.waiters.front().run;
    for (auto& each : std::exchange(next.waiters, {})) each.key = key, co_await write(std::move(each), 0);
    auto now = co_await write_state(found, {lease_queued{.run = std::move(first)}, std::move(next)});
    found = now ? *std::move(now) : co_await read_state(key);
  }
  co_return found;
}

asio::awaitable<bool> lease_store::write(lease_waiter waiter, std::uint64_t expected) {
  auto subject = subjects::lease_waiter(waiter.key, waiter.cluster, waiter.run);
  bus::publication message{
      .subject = subject,
      .body = json::write(waiter),
      .head = envelope(std::string(lease_queued::type), service_, subject + "." + std::to_string(expected), time_.now()),
      .expected = expected,
      .rollup = true};
  message.head.emplace_back(proto::subject_run, waiter.run);
  auto stored = co_await publish(std::move(message), waiter.key);
  if (!stored) co_return false;
  co_await book_.view().until(*stored);
  auto* held = book_.find(waiter.key);
  log_.debug(std::string(lease_queued::type),
             {{"key", waiter.key}, {"holders", held ? held->state.holders.size() : 0}, {"waiters", book_.queue(waiter.key).size()}});
  co_return true;
}

asio::awaitable<bool> lease_store::remove(lease_waiter waiter) {
  for (;;) {
    auto last = co_await read_waiter(waiter.key, waiter.cluster, waiter.run);
    if (!last.waiter) co_return false;
    if (co_await remove(waiter, last.sequence)) co_return true;
  }
}

/// False: another replica was faster.
asio::awaitable<bool> lease_store::remove(lease_waiter waiter, std::uint64_t expected) {
  auto subject = subjects::lease_waiter(waiter.key, waiter.cluster, waiter.run);
  bus::publication message{
      .subject = subject,
      .body = "",
      .head = envelope(std::string(lease_released::type), service_, subject + "." + std::to_string(expected), time_.now()),
      .expected = expected,
      .ttl = removed_waiter_is_kept,
      .rollup = true};
  auto stored = co_await publish(std::move(message), waiter.key);
  if (stored) co_await book_.view().until(*stored);
  co_return stored.has_value();
}

/// The sequence of the message; nothing: another replica was faster.
asio::awaitable<std::optional<std::uint64_t>> lease_store::publish(bus::publication message, std::string const& key) {
  auto stored = co_await bus_.publish(std::move(message));
  if (!stored && stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error("lease " + key + ": " + stored.error().text);
  co_return stored ? std::optional(stored->sequence) : std::nullopt;
}

asio::awaitable<lease_store::entry> lease_store::read_state(std::string key) {
  auto subject = subjects::lease(key);
  auto last = co_await bus_.last(std::string(subjects::states), subject);
  if (!last) throw std::runtime_error("lease " + key + ": " + last.error().text);
  if (!*last) co_return entry{.state = {.key = key}};
  auto& message = **last;
  auto* known = book_.find(key);
  auto* mark = book_.view().find_mark(subject);
  if (known && mark && *mark == bus::view::mark{message.sequence, message.time}) co_return *known;
  auto state = json::read<lease_state>(message.body);
  if (!state) throw std::runtime_error("lease " + key + " does not hold a lease: " + state.error().text());
  co_return entry{std::move(*state), message.sequence};
}

asio::awaitable<lease_store::waiting> lease_store::read_waiter(std::string key, std::string cluster, std::string run) {
  auto last = co_await bus_.last(std::string(subjects::states), subjects::lease_waiter(key, cluster, run));
  if (!last) throw std::runtime_error("lease " + key + ": " + last.error().text);
  auto sequence = *last ? (*last)->sequence : 0;
  if (!*last || bus::says_gone(**last)) {
    if (book_.queue(key).find(cluster, run)) co_await book_.view().until(sequence);
    book_.forget({.cluster = cluster, .run = run, .key = key});
    co_return waiting{{}, sequence};
  }
  auto waiter = json::read<lease_waiter>((*last)->body);
  if (!waiter) throw std::runtime_error((*last)->subject + " does not hold a waiter: " + waiter.error().text());
  co_return waiting{std::move(*waiter), sequence};
}

}  // namespace kopiur::maintenance_lease
