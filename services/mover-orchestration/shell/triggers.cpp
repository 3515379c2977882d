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

/// Replicas share the triggers. A trigger is acknowledged when everything that it may affect has been reconciled.
asio::awaitable<void> service::follow_triggers(std::string stream, std::string durable, bus::view* caught_by) {
  auto worker = bus_.work(stream, durable, 32);
  for (;;) {
    auto trigger = co_await worker->next();
    auto other_cluster = subjects::part(trigger.message.subject, 3) != subjects::token(context_.cluster) && stream != subjects::states;
    if (!other_cluster) {
      if (caught_by)
        co_await caught_by->until(trigger.message.sequence);
      else
        co_await informer_.until(trigger.message.sequence);
      if (auto why = unreadable(trigger.message)) {
        worker->reject(trigger, *why);
        continue;
      }
      co_await take(trigger);
    }
    worker->ack(trigger);
  }
}

/// Why a trigger cannot be parsed; nothing: it can. What the views contain was parsed by them, so only what they lack is parsed again.
std::optional<std::string> service::unreadable(bus::stored const& message) const {
  if (message.body.empty() || bus::says_gone(message)) return {};
  auto& subject = message.subject;
  auto kind = subjects::part(subject, 2);
  if (kind == "run") return runs_.find(subjects::name(subjects::part(subject, 4))) ? std::nullopt : problem_of<run_fact>(message.body);
  if (kind == "lease") return leases_.find(subject) ? std::nullopt : problem_of<lease_state>(message.body);
  if (kind == "answer") {
    bool page = subjects::part(subject, 5) == "rows" || subjects::part(subject, 5) == "request";
    return page || answers_.find(subject) ? std::nullopt : problem_of<proto::answer>(message.body);
  }
  auto object = controller::reference(subject);
  bool taken = controller::find_meta(informer_.objects(), object.kind, {object.namespace_, object.name});
  if (taken || informer_.source_of(object).sequence != message.sequence) return {};
  controller::objects alone;
  auto read = controller::apply(alone, subject, &message.body);
  return read ? std::nullopt : std::optional(read.error().text());
}

/// The runs that a change of a lease affects: the run that caused it, and every new holder, because a grant may be superseded by a later
/// change before it is seen. Runs that still wait or already held it have nothing to do; with many runs these are nearly all.
std::set<std::string> service::concerned_by(bus::stored const& change) {
  std::set<std::string> concerned{std::string(bus::header(change.head, subject_run))};
  static lease_state const free;
  auto* found = leases_.find(change.subject);
  for (auto& each : new_grants_.among(change.subject, (found ? found->value : free).holders))
    if (auto* run = runs_.find(each); run && run->state.stage == run_stage::Prepared) concerned.insert(each);
  return concerned;
}

asio::awaitable<void> service::take(bus::delivery const& trigger) {
  auto& subject = trigger.message.subject;
  auto kind = subjects::part(subject, 2);
  if (kind == "run") {
    auto id = subjects::name(subjects::part(subject, 4));
    co_await drive(id);
    co_await drive_concerned(id);
    co_return co_await reconcile_served(id);
  }
  if (kind == "lease") {
    for (auto& each : concerned_by(trigger.message)) {
      co_await drive(each);
      co_await drive_concerned(each);
    }
    co_return;
  }
  if (kind == "answer") {  // keys begin with the run, or with the uid of an object
    auto key = subjects::name(subjects::part(subject, 6));
    for (auto dash = key.rfind('-'); dash != key.npos; dash = key.rfind('-')) {
      if (runs_.find(key)) break;
      key.resize(dash);
    }
    co_return co_await drive(key);
  }
  auto object = controller::reference(subject);
  co_await affected_by(object);
}

/// A run that has been planned, or is over, triggers the objects that it serves: a deleted Backup can then disappear, and a group updates
/// its totals.
asio::awaitable<void> service::reconcile_served(std::string run) {
  auto* found = runs_.find(run);
  bool over = found && found->state.stage == run_stage::FollowThroughComplete;
  bool tells = over || (found && found->state.stage == run_stage::Prepared);
  if (!tells) co_return;
  if (!found->state.plan) co_return co_await reconcile_object(object_ref(found->state.order.object));
  for (auto& each : std::vector(found->state.plan->serves)) co_await reconcile_object(each);
}

/// Drives the runs that depend on this run's state.
asio::awaitable<void> service::drive_concerned(std::string run) {
  auto* found = runs_.find(run);
  auto* kind = found ? find_plan(found->state.order.plan) : nullptr;
  if (!kind || !kind->concerns) co_return;
  for (auto& each : kind->concerns(look_around(), found->state)) co_await drive(each);
}

/// Repeats the report of the last ended run for the object as it is now: an edit creates a new generation of the object.
asio::awaitable<void> service::report_again(object_ref object) {
  if (auto* last = last_ended(look_around(), object)) co_await drive(std::string(last->run));
}

/// Reconciles what a changed object may affect: the object, its runs, and runs that may wait for such an object.
asio::awaitable<void> service::affected_by(object_ref const& object) {
  if (object.kind == job::info.kind) {
    auto dash = object.name.rfind('-');
    co_return co_await drive(object.name.substr(0, dash));
  }
  if (controller::is_marker(object)) co_return co_await resync_objects();  // the cluster is now listed: earlier objects were not reconciled
  auto own = runs_of(object), waiting = unblocked_by(object);
  waiting.insert(own.begin(), own.end());
  co_await reconcile_object(object);
  co_await report_again(object);
  for (auto* system : systems())
    for (auto& each : system->reported_with(informer_.objects(), object)) co_await report_again(each);
  for (auto& each : waiting) co_await drive(each);
  for (auto& each : own)
    if (shows_status_to_others(each)) co_await drive_concerned(each);
  for (auto* system : systems()) {
    auto more = system->affected_by(informer_.objects(), object);
    for (auto& each : more.soon) reconcile_soon(each);
    for (auto& each : more.at_once) co_await reconcile_object(each);
  }
}

/// The object's runs that are not over.
std::set<std::string> service::runs_of(object_ref const& object) const {
  std::set<std::string> runs;
  for (auto* own : runs_.open_for(object)) runs.insert(own->run);
  return runs;
}

/// The runs that have no plan yet and may wait for such an object.
std::set<std::string> service::unblocked_by(object_ref const& object) const {
  std::set<std::string> runs;
  auto may_unblock = [&](run_state const& due) {
    return std::ranges::any_of(systems(), [&](auto* system) { return system->may_unblock(object, due); });
  };
  for (auto& [id, one] : runs_.due())
    if (may_unblock(*one)) runs.insert(id);
  return runs;
}

bool service::shows_status_to_others(std::string const& run) const {
  auto* found = runs_.find(run);
  auto* kind = found ? find_plan(found->state.order.plan) : nullptr;
  return kind && kind->concerns_by_status;
}

}  // namespace kopiur::mover_orchestration
