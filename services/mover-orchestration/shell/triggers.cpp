#include <algorithm>
#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/reference.hpp"
#include "services/mover-orchestration/shell/service.hpp"
#include "services/systems/systems.hpp"

/// Handles triggers from the durable consumers: finds the runs and objects that each may affect.
namespace kopiur::mover_orchestration {

using namespace proto;
namespace asio = boost::asio;

namespace {
template <class T>
std::optional<std::string> problem_of(std::string const& body) {
  auto read = json::read<T>(body);
  return read ? std::nullopt : std::optional(read.error().text());
}
}  // namespace

/// The keys that a trigger concerns, once this replica has seen it.
asio::awaitable<service::keys> service::keys_of(bus::stored const& message, bus::view* caught_by) {
  auto& subject = message.subject;
  auto kind = subjects::part(subject, 2);
  auto where = subjects::part(subject, kind == "lease-waiter" ? 4 : 3);
  bool of_other_cluster = kind != "lease" && where != subjects::token(context_.cluster);
  if (of_other_cluster || !bus::header(message.head, shrunk_fact).empty()) co_return keys();
  co_await (caught_by ? caught_by->until(message.sequence) : informer_.until(message.sequence));
  if (auto why = co_await unreadable(message)) co_return std::unexpected(*why);
  if (kind == "run") co_return concerned_by_run(look_around(), subjects::name(subjects::part(subject, 4)));
  if (kind == "lease") co_return keys_of_lease(message);
  if (kind == "lease-waiter") co_return keys_of_waiter(message);
  if (kind == "answer") co_return std::vector<work_key>{run_key{run_of_answer(subject)}};
  co_return keys_of_object(controller::reference(subject));
}

/// Whether the views have decoded the message, or need not.
bool service::is_known(bus::stored const& message) const {
  auto& subject = message.subject;
  auto part = [&](std::size_t n) { return subjects::name(subjects::part(subject, n)); };
  auto kind = subjects::part(subject, 2);
  if (kind == "run") return runs_.find(part(4));
  if (kind == "lease") return leases_.find(part(3));
  if (kind == "lease-waiter") return leases_.queue(part(3)).find(part(4), part(5));
  if (kind == "answer") return subjects::part(subject, 5) == "rows" || subjects::part(subject, 5) == "request" || answers_.find(subject);
  return !informer_.objects().unreadable.contains(key_of(controller::reference(subject)));
}

/// Why a trigger cannot be decoded; nothing: it can. Only what the views lack is read again, and only while it is the last of its subject.
asio::awaitable<std::optional<std::string>> service::unreadable(bus::stored const& message) {
  if (bus::says_gone(message) || is_known(message)) co_return std::nullopt;
  auto subject = message.subject;
  auto kind = subjects::part(subject, 2);
  auto stream = kind == "run"                               ? subjects::runs
                : kind == "lease" || kind == "lease-waiter" ? subjects::states
                : kind == "answer"                          ? subjects::answers
                                                            : subjects::resources;
  auto last = co_await bus_.last(std::string(stream), subject);
  if (!last || !*last || (*last)->sequence != message.sequence) co_return std::nullopt;
  auto& body = (*last)->body;
  if (kind == "run") co_return problem_of<run_fact>(body);
  if (kind == "lease") co_return problem_of<lease_state>(body);
  if (kind == "lease-waiter") co_return problem_of<lease_waiter>(body);
  if (kind == "answer") co_return problem_of<proto::answer>(body);
  controller::objects alone;
  auto read = controller::apply(alone, subject, &body);
  co_return read ? std::nullopt : std::optional(read.error().text());
}

/// A change of a lease concerns the run that caused it, and every new holder, because a grant may be superseded by a later change before it
/// is seen. Runs that still wait or already held it have nothing to do; with many runs these are nearly all.
std::vector<work_key> service::keys_of_lease(bus::stored const& change) {
  auto all = look_around();
  auto keys = concerned_by_lease(all, std::string(bus::header(change.head, subject_run)));
  static lease_state const free;
  auto* found = leases_.find(subjects::name(subjects::part(change.subject, 3)));
  for (auto& each : new_grants_.among(change.subject, (found ? found->state : free).holders))
    if (auto* run = runs_.find(each); run && run->state.stage == run_stage::Prepared)
      std::ranges::move(concerned_by_lease(all, each), std::back_inserter(keys));
  return keys;
}

/// A run that stands in line says so. One that has left the queue got the lease, or needs it no more: a change of the lease tells.
std::vector<work_key> service::keys_of_waiter(bus::stored const& change) {
  if (bus::says_gone(change)) return {};
  return concerned_by_lease(look_around(), std::string(bus::header(change.head, subject_run)));
}

/// An answer's key begins with the run, or with the uid of an object.
std::string service::run_of_answer(std::string_view subject) const {
  auto key = subjects::name(subjects::part(subject, 6));
  for (auto dash = key.rfind('-'); dash != key.npos && !runs_.find(key); dash = key.rfind('-')) key.resize(dash);
  return key;
}

std::vector<work_key> service::keys_of_object(object_ref const& changed) {
  constexpr duration soon{500};
  auto found = concerned_by_object(look_around(), open(), changed);
  for (auto& each : found.soon) queue_.add_after(each, soon);
  return std::move(found.now);
}

}  // namespace kopiur::mover_orchestration
