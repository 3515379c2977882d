#include "services/mirror/shell/claims.hpp"

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

}  // namespace

claims::claims(place const& at, std::vector<std::string> const& shares)
    : at_(at), view_(at.bus, at.time, at.loop, std::string(subjects::status), own(at, shares)) {}

boost::asio::awaitable<void> claims::say(object_ref object, status_claim claim, std::uint64_t made_from, std::string share) {
  auto subject = subjects::status_fragment(at_.cluster, object.kind, object.namespace_, object.name,
                                           share.empty() ? at_.service : at_.service + "-" + share);
  auto* last = view_.find(subject);
  auto before = last ? json::read<status_claim>(last->body) : std::expected<status_claim, json::problem>{std::unexpect};
  if (before && before->uid == claim.uid) {
    if (before->made_from > made_from) co_return;
    claim.made_from = before->made_from;
    if (json::write(claim) == json::write(*before)) co_return;
  }
  claim.made_from = made_from;
  auto expected = last ? last->sequence : 0;
  auto stored = co_await write(subject, claim, expected);
  // The empty message that stands for an object that was removed is no entry of the view, but it has a sequence.
  bool over_a_tombstone = !last && !stored && stored.error().kind == bus::failure::wrong_sequence && stored.error().actual;
  if (over_a_tombstone && !view_.find(subject)) stored = co_await write(subject, claim, *stored.error().actual);
  if (stored) co_return co_await view_.until(stored->sequence);
  // Lost to another replica: what it wrote is as new as ours, or the next sweep writes ours.
  if (stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(subject + ": " + stored.error().text);
}

std::optional<status_claim> claims::said(object_ref const& object) const {
  auto* last = view_.find(subjects::status_fragment(at_.cluster, object.kind, object.namespace_, object.name, at_.service));
  auto read = last ? json::read<status_claim>(last->body) : std::expected<status_claim, json::problem>{std::unexpect};
  return read && read->uid == object.uid ? std::optional(std::move(*read)) : std::nullopt;
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
  bus::publication message{.subject = subject, .body = json::write(one.what), .head = envelope("command.v1", at.service, id, now), .id = id};
  if (!one.run.empty()) message.head.push_back(traceparent(one.run));
  auto stored = co_await at.bus.publish(std::move(message));
  if (!stored && stored.error().kind != bus::failure::limit) throw std::runtime_error(subject + ": " + stored.error().text);
}

}  // namespace kopiur::mirror
