#include "services/mirror/shell/claims.hpp"

#include <utility>

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"

namespace kopiur::mirror {

using namespace proto;

namespace {

/// The shares of one service alone: a replica has nothing to compare the others' with.
std::vector<std::string> own(place const& at, std::vector<std::string> const& shares) {
  auto of_all = [&](std::string const& who) { return subjects::status_fragment(at.cluster, "*", "*", "*", who); };
  std::vector<std::string> filters{of_all(at.service)};
  for (auto& each : shares) filters.push_back(of_all(at.service + "-" + each));
  return filters;
}

/// What the refusal of a write names, or else what the stream has now.
boost::asio::awaitable<std::optional<std::uint64_t>> sequence_at(place at, std::string subject, bus::error refused) {
  if (refused.actual) co_return refused.actual;
  auto last = co_await at.bus.last(std::string(subjects::status), subject);
  if (!last || !*last) co_return std::nullopt;
  co_return (*last)->sequence;
}

}  // namespace

claims::wording::wording(status_claim of)
    : made_from(std::exchange(of.made_from, {})), uid(std::hash<std::string>()(of.uid)), rest(std::hash<std::string>()(json::write(of))) {}

claims::claims(place const& at, std::vector<std::string> const& shares)
    : at_(at), said_(at, subjects::status, own(at, shares), log::logger(at.service)) {}

boost::asio::awaitable<void> claims::say(object_ref object, status_claim claim, source made_from, std::string share) {
  auto subject = subjects::status_fragment(at_.cluster, object.kind, object.namespace_, object.name,
                                           share.empty() ? at_.service : at_.service + "-" + share);
  auto* last = said_.find(subject);
  wording now(claim);
  if (last && last->value.uid == now.uid && (is_older(made_from, last->value.made_from) || last->value.rest == now.rest)) co_return;
  claim.made_from = now.made_from = made_from;
  bool const known = last;
  auto stored = co_await write(subject, claim, known ? last->sequence : 0);
  // The empty message that stands for an object that was removed is no entry of the view, but it has a sequence.
  bool over_a_tombstone = !known && !stored && stored.error().kind == bus::failure::wrong_sequence;
  auto there = over_a_tombstone ? co_await sequence_at(at_, subject, stored.error()) : std::nullopt;
  if (there && !said_.find(subject)) stored = co_await write(subject, claim, *there);
  if (stored) co_return said_.put(subject, now, stored->sequence);
  // Lost to another replica: what it wrote is as new as ours, or the next sweep writes ours.
  if (stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(subject + ": " + stored.error().text);
  said_.trust_stream(subject);
}

boost::asio::awaitable<std::optional<status_claim>> claims::said(object_ref object) {
  auto subject = subjects::status_fragment(at_.cluster, object.kind, object.namespace_, object.name, at_.service);
  auto last = co_await at_.bus.last(std::string(subjects::status), subject);
  if (!last) throw std::runtime_error(subject + ": " + last.error().text);
  if (!*last || (*last)->body.empty()) co_return std::nullopt;
  auto claim = json::read<status_claim>((*last)->body);
  co_return claim && claim->uid == object.uid ? std::optional(std::move(*claim)) : std::nullopt;
}

boost::asio::awaitable<bus::result<bus::receipt>> claims::write(std::string subject, status_claim claim, std::uint64_t expected) {
  bus::publication message{.subject = subject,
                           .body = json::write(claim),
                           .head = envelope("status.claimed.v1", at_.service, subject + "." + std::to_string(expected), at_.time.now()),
                           .expected = expected};
  co_return co_await at_.bus.publish(std::move(message));
}

boost::asio::awaitable<void> send(place at, sending one) {
  auto verb = std::visit([](auto& each) { return each.member; }, one.what);
  auto subject = subjects::command(at.cluster, "gateway", verb, one.key);
  auto now = at.time.now();
  auto id = subject + "." + std::to_string(now.time_since_epoch() / one.again);
  bus::publication message{
      .subject = subject, .body = json::write(one.what), .head = envelope("command.v1", at.service, id, now), .id = id};
  if (!one.run.empty()) message.head.push_back(traceparent(one.run));
  auto stored = co_await at.bus.publish(std::move(message));
  if (!stored && stored.error().kind != bus::failure::limit) throw std::runtime_error(subject + ": " + stored.error().text);
}

}  // namespace kopiur::mirror
