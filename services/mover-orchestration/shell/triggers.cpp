#include <algorithm>
#include <boost/asio.hpp>
#include <stdexcept>

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
std::optional<std::string> problem_of(std::string const&, std::string const& body) {
  auto read = json::read<T>(body);
  return read ? std::nullopt : std::optional(read.error().text());
}

std::optional<std::string> problem_of_object(std::string const& subject, std::string const& body) {
  controller::objects alone;
  auto read = controller::apply(alone, subject, &body);
  return read ? std::nullopt : std::optional(read.error().text());
}

std::string name_at(std::string_view subject, std::size_t part) { return subjects::name(subjects::part(subject, part)); }

}  // namespace

/// A kind of message among the triggers.
struct service::trigger {
  std::string_view kind;  ///< the third part of its subjects
  std::string_view stream;
  std::size_t cluster;  ///< the part of its subjects that names the cluster; 0: it spans clusters
  /// Why the body cannot be decoded; nothing: it can.
  std::optional<std::string> (*problem)(std::string const& subject, std::string const& body);
  /// Whether the views have decoded it, or need not.
  bool (*is_known)(service const& here, std::string const& subject);
  std::vector<work_key> (*keys)(service& here, bus::stored const& message);
};

service::trigger const& service::trigger_of(std::string_view subject) {
  static constexpr trigger all[] = {
      {.kind = "run",
       .stream = subjects::runs,
       .cluster = 3,
       .problem = problem_of<run_fact>,
       .is_known = [](service const& here, auto& subject) { return here.runs_.find(name_at(subject, 4)) != nullptr; },
       .keys = [](service& here, auto& message) { return concerned_by_run(here.look_around(), name_at(message.subject, 4)); }},
      {.kind = "lease",
       .stream = subjects::states,
       .cluster = 0,
       .problem = problem_of<lease_state>,
       .is_known = [](service const& here, auto& subject) { return here.leases_.find(name_at(subject, 3)) != nullptr; },
       .keys = [](service& here, auto& message) { return here.keys_of_lease(message); }},
      {.kind = "lease-waiter",
       .stream = subjects::states,
       .cluster = 4,
       .problem = problem_of<lease_waiter>,
       .is_known =
           [](service const& here, auto& subject) {
             return here.leases_.queue(name_at(subject, 3)).find(name_at(subject, 4), name_at(subject, 5)) != nullptr;
           },
       .keys = [](service& here, auto& message) { return here.keys_of_waiter(message); }},
      {.kind = "answer",
       .stream = subjects::answers,
       .cluster = 3,
       .problem = problem_of<proto::answer>,
       .is_known =
           [](service const& here, auto& subject) {
             auto verb = subjects::part(subject, 5);
             return verb == "rows" || verb == "request" || here.answers_.find(subject) != nullptr;
           },
       .keys = [](service& here, auto& message) { return std::vector<work_key>{run_key{here.run_of_answer(message.subject)}}; }},
      {.kind = "resource",
       .stream = subjects::resources,
       .cluster = 3,
       .problem = problem_of_object,
       .is_known = [](service const& here,
                      auto& subject) { return !here.informer_.objects().unreadable.contains(key_of(controller::reference(subject))); },
       .keys = [](service& here, auto& message) { return here.keys_of_object(controller::reference(message.subject)); }}};
  auto found = std::ranges::find(all, subjects::part(subject, 2), &trigger::kind);
  if (found == std::end(all)) throw std::logic_error("no trigger has the subject " + std::string(subject));
  return *found;
}

/// The keys that a trigger concerns, once this replica has seen it.
asio::awaitable<service::keys> service::keys_of(bus::stored const& message, bus::view* caught_by) {
  auto& kind = trigger_of(message.subject);
  bool of_other_cluster = kind.cluster && subjects::part(message.subject, kind.cluster) != subjects::token(context_.cluster);
  if (of_other_cluster || !bus::header(message.head, shrunk_fact).empty()) co_return keys();
  co_await (caught_by ? caught_by->until(message.sequence) : informer_.until(message.sequence));
  if (auto why = co_await unreadable(kind, message)) co_return std::unexpected(*why);
  co_return kind.keys(*this, message);
}

/// Why a trigger cannot be decoded; nothing: it can. Only what the views lack is read again, and only while it is the last of its subject.
asio::awaitable<std::optional<std::string>> service::unreadable(trigger const& kind, bus::stored const& message) {
  auto& subject = message.subject;
  if (bus::says_gone(message) || kind.is_known(*this, subject)) co_return std::nullopt;
  auto last = co_await bus_.last(std::string(kind.stream), subject);
  if (!last || !*last || (*last)->sequence != message.sequence) co_return std::nullopt;
  co_return kind.problem(subject, (*last)->body);
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
