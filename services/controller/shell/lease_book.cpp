#include "services/controller/shell/lease_book.hpp"

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/decoding.hpp"

namespace kopiur::controller {

using namespace proto;

lease_book::lease_book(service_context const& context, log::logger log)
    : view_(context.bus, context.time, context.loop, std::string(subjects::states), {"kopiur.v1.lease.>", "kopiur.v1.lease-waiter.>"},
            bus::view::keep::marks),
      log_(std::move(log)),
      decoder_(context.shared.decoder) {
  view_.on_change([this](std::string const& subject, bus::stored const* now) { take(subject, now); });
}

lease_book::entry const* lease_book::find(std::string_view key) const {
  auto found = holders_.find(subjects::token(key));
  return found == holders_.end() ? nullptr : &found->second;
}

lease_queue const& lease_book::queue(std::string_view key) const {
  static lease_queue const nobody;
  auto found = queues_.find(subjects::token(key));
  return found == queues_.end() ? nobody : found->second;
}

queue_place lease_book::place(std::string_view key, std::string const& cluster, std::string const& run) const {
  auto& waiting = queue(key);
  auto* mine = waiting.find(cluster, run);
  return {mine, mine ? waiting.ahead_of(*mine) : 0};
}

std::size_t lease_book::waiters() const {
  std::size_t all = 0;
  for (auto& [_, each] : queues_) all += each.size();
  return all;
}

std::set<std::string> lease_book::keys() const {
  std::set<std::string> all;
  for (auto& [token, _] : holders_) all.insert(subjects::name(token));
  for (auto& [token, _] : queues_) all.insert(subjects::name(token));
  return all;
}

void lease_book::forget(lease_waiter const& waiter) {
  auto found = queues_.find(subjects::token(waiter.key));
  if (found == queues_.end()) return;
  found->second.remove(std::string(waiter.cluster), std::string(waiter.run));
  if (found->second.empty()) queues_.erase(found);
}

void lease_book::take(std::string const& subject, bus::stored const* now) {
  if (subjects::part(subject, 2) == "lease")
    take_holders(subject, now);
  else
    take_waiter(subject, now);
  told_.tell(subjects::name(subjects::part(subject, 3)));
}

void lease_book::take_holders(std::string const& subject, bus::stored const* now) {
  auto read = now ? controller::read<lease_state>(now->body, decoder_) : std::unexpected(json::problem{});
  std::string key(subjects::part(subject, 3));
  if (read) return void(holders_.insert_or_assign(key, entry{std::move(*read), now->sequence}));
  holders_.erase(key);
  if (now) log_.error("message.undecodable", {{"subject", subject}, {"problem", read.error().text()}});
}

void lease_book::take_waiter(std::string const& subject, bus::stored const* now) {
  auto read = now ? controller::read<lease_waiter>(now->body, decoder_) : std::unexpected(json::problem{});
  if (read) return queues_[std::string(subjects::part(subject, 3))].put(std::move(*read));
  auto name = [&](std::size_t part) { return subjects::name(subjects::part(subject, part)); };
  forget({.cluster = name(4), .run = name(5), .key = name(3)});
  if (now) log_.error("message.undecodable", {{"subject", subject}, {"problem", read.error().text()}});
}

}  // namespace kopiur::controller
