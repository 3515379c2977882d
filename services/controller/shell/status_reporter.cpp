#include "services/controller/shell/status_reporter.hpp"

#include <utility>

#include "common/bus/administration.hpp"
#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"

namespace kopiur::controller {

using namespace proto;

namespace {

/// Follows only the fragments of this service: a replica does not compare the others'.
std::vector<std::string> own(service_context const& context, std::vector<std::string> const& parts) {
  auto of_all = [&](std::string const& who) { return subjects::status_fragment(context.cluster, "*", "*", "*", who); };
  std::vector<std::string> filters{of_all(context.service)};
  for (auto& each : parts) filters.push_back(of_all(context.service + "-" + each));
  return filters;
}

/// The sequence that the refusal names, else the one that the stream has now.
boost::asio::awaitable<std::optional<std::uint64_t>> sequence_at(service_context context, std::string subject, bus::error refused) {
  if (refused.actual) co_return refused.actual;
  auto last = co_await context.bus.last(std::string(subjects::status), subject);
  if (!last || !*last) co_return std::nullopt;
  co_return (*last)->sequence;
}

}  // namespace

status_reporter::digest::digest(status_fragment fragment)
    : made_from(std::exchange(fragment.made_from, {})),
      uid(std::hash<std::string>()(fragment.uid)),
      rest(std::hash<std::string>()(json::write(fragment))) {}

status_reporter::status_reporter(service_context const& context, std::vector<std::string> const& parts)
    : context_(context), reported_(context, subjects::status, own(context, parts), log::logger(context.service)) {}

boost::asio::awaitable<bool> status_reporter::report(object_ref object, status_fragment fragment, source made_from, std::string part) {
  auto subject = subjects::status_fragment(context_.cluster, object.kind, object.namespace_, object.name,
                                           part.empty() ? context_.service : context_.service + "-" + part);
  auto* last = reported_.find(subject);
  digest now(fragment);
  bool of_this_object = last && last->value.uid == now.uid;
  if (of_this_object && last->value.rest == now.rest) co_return true;
  if (of_this_object && is_older(made_from, last->value.made_from)) co_return false;
  fragment.made_from = now.made_from = made_from;
  bool const known = last;
  auto stored = co_await write(subject, fragment, known ? last->sequence : 0);
  // The tombstone of a deleted object is not an entry of the view, but it has a sequence.
  bool over_a_tombstone = !known && !stored && stored.error().kind == bus::failure::wrong_sequence;
  auto there = over_a_tombstone ? co_await sequence_at(context_, subject, stored.error()) : std::nullopt;
  if (there && !reported_.find(subject)) stored = co_await write(subject, fragment, *there);
  if (stored) reported_.put(subject, now, stored->sequence);
  if (stored) co_return true;
  if (stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(subject + ": " + stored.error().text);
  reported_.trust_stream(subject);
  co_return false;
}

boost::asio::awaitable<bus::result<bus::receipt>> status_reporter::write(std::string subject, status_fragment fragment,
                                                                         std::uint64_t expected) {
  bus::publication message{
      .subject = subject,
      .body = json::write(fragment),
      .head = envelope("status.claimed.v1", context_.service, subject + "." + std::to_string(expected), context_.time.now()),
      .expected = expected};
  co_return co_await context_.bus.publish(std::move(message));
}

boost::asio::awaitable<void> send(service_context context, outgoing_command one) {
  auto verb = std::visit([](auto& each) { return each.member; }, one.what);
  auto subject = subjects::command(context.cluster, "gateway", verb, one.key);
  auto now = context.time.now();
  auto id = subject + "." + std::to_string(now.time_since_epoch() / one.again);
  bus::publication message{
      .subject = subject, .body = json::write(one.what), .head = envelope("command.v1", context.service, id, now), .id = id};
  if (!one.run.empty()) message.head.push_back(traceparent(one.run));
  auto stored = co_await context.bus.publish(std::move(message));
  if (!stored && !bus::is_pending_already(stored.error())) throw std::runtime_error(subject + ": " + stored.error().text);
}

}  // namespace kopiur::controller
