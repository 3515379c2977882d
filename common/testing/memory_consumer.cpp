#include "common/testing/memory_consumer.hpp"

namespace kopiur::testing {

duration memory_consumer::wait(int attempt) const {
  if (config_.backoff.empty()) return std::chrono::seconds(30);  // the server's default
  return config_.backoff[std::min(static_cast<std::size_t>(attempt), config_.backoff.size()) - 1];
}

std::vector<memory_consumer::given_up> memory_consumer::lapse(memory_stream const& from, instant now) {
  std::vector<given_up> over;
  while (!by_due_.empty() && by_due_.begin()->first <= now) {
    auto sequence = by_due_.begin()->second;
    auto& it = pending_.at(sequence);
    by_due_.erase(by_due_.begin());
    it.out = false;
    bool exhausted = config_.max_deliver > 0 && it.attempt >= config_.max_deliver;
    if (from.at(sequence) && !exhausted) {
      again_.push_back(sequence);
      continue;
    }
    if (from.at(sequence)) over.push_back({sequence, it.attempt});
    pending_.erase(sequence);
  }
  return over;
}

std::optional<bus::delivery> memory_consumer::next(memory_stream const& from, instant now) {
  while (!again_.empty()) {
    auto sequence = again_.front();
    again_.pop_front();
    auto known = pending_.find(sequence);
    if (known == pending_.end() || known->second.out) continue;  // settled late
    if (from.at(sequence)) return give(from, sequence, now);
    pending_.erase(known);
  }
  if (config_.max_ack_pending > 0 && static_cast<int>(pending_.size()) >= config_.max_ack_pending) return {};
  auto fresh = from.first_after(seen_, config_.filters);
  if (!fresh) return {};
  seen_ = fresh->sequence;
  return give(from, seen_, now);
}

bus::delivery memory_consumer::give(memory_stream const& from, std::uint64_t sequence, instant now) {
  auto& it = pending_[sequence];
  ++it.attempt;
  out_until(sequence, it, now + wait(it.attempt));
  bus::delivery given{*from.at(sequence), from.created(), it.attempt};
  if (config_.headers_only) {
    auto body = std::exchange(given.message.body, {});
    given.message.head.emplace_back("Nats-Msg-Size", std::to_string(body.size()));
  }
  return given;
}

void memory_consumer::out_until(std::uint64_t sequence, held& it, instant when) {
  if (it.out) by_due_.erase({it.due, sequence});
  it.out = true;
  it.due = when;
  by_due_.emplace(when, sequence);
}

bool memory_consumer::settle(std::uint64_t sequence) {
  auto known = pending_.find(sequence);
  if (known == pending_.end()) return false;
  if (known->second.out) by_due_.erase({known->second.due, sequence});
  pending_.erase(known);
  return true;
}

void memory_consumer::again_at(std::uint64_t sequence, instant when) {
  if (auto known = pending_.find(sequence); known != pending_.end() && known->second.out) out_until(sequence, known->second, when);
}

void memory_consumer::progress(std::uint64_t sequence, instant now) {
  if (auto known = pending_.find(sequence); known != pending_.end() && known->second.out)
    out_until(sequence, known->second, now + wait(known->second.attempt));
}

std::optional<instant> memory_consumer::due() const { return by_due_.empty() ? std::nullopt : std::optional(by_due_.begin()->first); }

}  // namespace kopiur::testing
