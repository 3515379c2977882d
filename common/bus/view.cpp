#include "common/bus/view.hpp"

#include <boost/asio.hpp>
#include <utility>

namespace kopiur::bus {

namespace {
/// A message that comes at all arrives within this time; a caller that waits longer asks the stream's leader for the last one.
constexpr duration usual{100};
}  // namespace

bool says_gone(stored const& message) {
  return body_size(message) == 0 || !header(message.head, "KV-Operation").empty() || !header(message.head, "Nats-Marker-Reason").empty();
}

view::view(port& bus, clock& time, asio::any_io_executor loop, std::string stream, std::vector<std::string> filters, keep what)
    : bus_(bus), time_(time), stream_(std::move(stream)), filters_(std::move(filters)), keep_(what), moved_(loop), asked_(loop) {
  if (filters_.empty()) filters_.push_back(">");
}

asio::awaitable<void> view::run() { co_await app::first_of(read(), nag()); }

asio::awaitable<void> view::read() {
  take(restarted{});
  auto from = bus_.follow(stream_, filters_);
  while (true) {
    auto item = co_await from->next();
    std::visit([this](auto&& one) { take(std::move(one)); }, std::move(item));
    moved_.notify();
  }
}

void view::take(restarted const&) {
  catching_up_ = true;
  seen_ = 0;
  newest_ = {};
  ++listing_;
}

void view::take(stored message) {
  seen_ = catching_up_ ? seen_ : message.sequence;
  newest_ = message.time;
  if (says_gone(message)) return drop(message.subject);
  auto& [subject, entry] = *entries_.try_emplace(message.subject).first;
  entry.listing = listing_;
  bool known = std::exchange(entry.mark, {message.sequence, message.time}) == mark{message.sequence, message.time};
  auto* now = &message;
  if (keep_ == keep::messages) entry.message = std::make_unique<stored>(std::move(message)), now = entry.message.get();
  if (!known) tell(subject, now);
}

void view::take(caught_up const& end) {
  std::vector<std::string> gone;
  for (auto const& [subject, held] : entries_)
    if (held.listing != listing_) gone.push_back(subject);
  for (auto const& subject : gone) drop(subject);
  catching_up_ = false;
  ready_ = true;
  seen_ = end.sequence;
}

void view::drop(std::string const& subject) {
  if (entries_.erase(subject)) tell(subject, nullptr);
}

void view::tell(std::string const& subject, stored const* now) {
  for (auto const& each : told_) each(subject, now);
}

stored const* view::find(std::string_view subject) const {
  auto found = entries_.find(subject);
  return found == entries_.end() ? nullptr : found->second.message.get();
}

view::mark const* view::find_mark(std::string_view subject) const {
  auto found = entries_.find(subject);
  return found == entries_.end() ? nullptr : &found->second.mark;
}

asio::awaitable<void> view::until_ready() {
  while (!ready_) co_await moved_.wait(moved_.epoch());
}

/// Wakes the waiters at intervals: the message that they wait for may never come.
asio::awaitable<void> view::nag() {
  for (;;) {
    while (!wanted_) co_await asked_.wait(asked_.epoch());
    wanted_ = false;
    co_await time_.sleep_for(usual);
    ++nags_;
    moved_.notify();
  }
}

asio::awaitable<void> view::until(std::uint64_t sequence) {
  // Two, because the first wake-up may come at once.
  for (auto patience = nags_ + 2; catching_up_ || seen_ < sequence;) {
    auto epoch = moved_.epoch();
    if (nags_ >= patience && !catching_up_) {
      patience = nags_ + 1;
      auto enough = co_await reach(sequence);
      if (!catching_up_ && seen_ >= enough) co_return;
    }
    if (!std::exchange(wanted_, true)) asked_.notify();
    co_await moved_.wait(epoch);
  }
}

asio::awaitable<std::uint64_t> view::reach(std::uint64_t sequence) {
  std::uint64_t furthest = 0;
  for (auto const& filter : filters_) {
    auto last = co_await bus_.last(stream_, filter);
    if (!last) co_return sequence;  // unknown now: the next check decides
    if (*last) furthest = std::max(furthest, (*last)->sequence);
  }
  co_return std::min(sequence, furthest);
}

}  // namespace kopiur::bus
