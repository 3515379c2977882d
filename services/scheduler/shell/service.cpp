#include "services/scheduler/shell/service.hpp"

#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::scheduler {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : service_base({bus, time, loop, options.cluster, "scheduler", options.shared},
                   {.kinds = controller::names_of<controller::manifest_kinds>(), .whole_run = [](run_state const&) { return false; }},
                   {"full", "quick"}),
      options_(std::move(options)),
      runs_(cache_.runs()),
      facts_(context_, subjects::states, {"kopiur.v1.schedule." + subjects::token(options_.cluster) + ".>"}, log_),
      queue_(time, loop, options_.workers, [this](std::string const& key) {
        auto found = objects_.find(key);
        return found == objects_.end() ? std::string() : found->second.namespace_;
      }) {
  follow(facts_.view());
  on_object([this](object_ref const& object) { changed(object); });
  // Another replica has decided: our status fragment may be derived from the fact before.
  facts_.view().on_change([this](std::string const& subject, bus::stored const*) {
    if (ready()) queue_.add(subjects::name(subjects::part(subject, 4)), app::urgency::background);
  });
  on_run([this](std::string const&, controller::run_index::entry const* now) {
    auto* kind = now && now->state.stage == run_stage::FollowThroughComplete ? find_plan(now->state.order.plan) : nullptr;
    if (kind && kind->starts_clock) queue_.add(now->state.order.object.uid);
  });
}

asio::awaitable<void> service::work() {
  co_await app::first_of(resync(), queue_.run([this](std::string key) { return try_to_settle(std::move(key)); }));
}

/// Timers and changes enqueue slots in the order in which they begin.
void service::changed(object_ref const& object) {
  auto& all = informer_.objects();
  for (auto* system : systems()) {
    for (auto& each : system->timed(all, object)) objects_[each.key] = each.object, queue_.add(each.key);
    for (auto& each : system->timed_wakes(all, object))
      if (!each.only_if_held || is_held(each.key)) queue_.add(each.key);
  }
}

/// Whether a hold blocks the timed object.
bool service::is_held(std::string const& key) const {
  auto* known = facts_.find(subjects::schedule(context_.cluster, key));
  return known && known->value.state.held;
}

/// A resync decides every timed object again every five minutes, in case a message was lost. Writes nothing when nothing has changed.
asio::awaitable<void> service::resync() {
  auto& all = informer_.objects();
  for (auto* system : systems())
    for (auto& object : system->with_clock(all))
      for (auto& each : system->timed(all, object)) objects_[each.key] = each.object;
  for (;;) {
    co_await enqueue_all();
    co_await time_.sleep_for(5min);
  }
}

/// Enqueues a few at a time: due objects go first, and a large fleet takes minutes.
asio::awaitable<void> service::enqueue_all() {
  constexpr std::size_t few = 32;
  for (auto object = objects_.begin(); object != objects_.end();) {
    for (std::size_t i = 0; i < few && object != objects_.end(); ++i, ++object) queue_.add(object->first, app::urgency::background);
    if (object == objects_.end()) break;
    auto next = object->first;
    co_await time_.sleep_for(100ms);
    co_await queue_.background_taken();
    object = objects_.lower_bound(next);
  }
}

/// Decides again after a pause when it fails: one object must not end the service.
asio::awaitable<void> service::try_to_settle(std::string key) {
  try {
    co_await informer_.until_listed();  // after a loss of the bus, objects arrive one by one
    co_await count_decision(settle(key));
  } catch (std::exception const& e) {
    if (app::is_cancelled(std::current_exception())) throw;
    log_.warning("schedule.failed", {{"key", key}, {"problem", e.what()}});
    queue_.add_after(key, 5s);
  }
}

asio::awaitable<void> service::settle(std::string key) {
  auto found = objects_.find(key);
  if (found == objects_.end()) co_return;
  for (auto* system : systems())
    for (auto& each : system->timed(informer_.objects(), object_ref(found->second)))
      if (each.key == key) co_return co_await (each.kind ? settle_slots(each) : settle_runs(*system, each));
  objects_.erase(key), queue_.clear_time(key);  // its object is deleted, or being deleted
}

asio::awaitable<void> service::settle_slots(timed_object timed) {
  auto& all = informer_.objects();
  auto table = timetable::compile(timed.rules, timed.key);
  auto problem = table ? timed.kind->unresolved(all, timed) : std::optional(table.error());
  auto* known = facts_.find(subjects::schedule(context_.cluster, timed.key));
  auto sequence = known ? known->sequence : 0;
  auto fact =
      known ? known->value : schedule_fact{.event = {}, .state = begin(timed.key, timed.created, timed.kind->last_fire_of(all, timed))};
  auto next = decision{.outcome = fact.event, .state = fact.state};
  if (!problem) {
    auto before = fact.state;
    if (before.last)
      for (auto& each : before.last->runs) look_at(timed, *before.last, each);
    next = decide(*table, timed.rules, before, time_.now(), timed.kind->hold(all, timed));
    bool said = next.outcome != outcome{};
    if (!said) next.outcome = fact.event;
    auto compare = next.state;  // which runs are over is derived; a change of that alone is not written
    if (compare.last && fact.state.last && compare.last->slot == fact.state.last->slot) compare.last = fact.state.last;
    if (!(compare == fact.state)) {
      if (said && next.outcome.fired) {
        next.state.last->runs =
            keep_waiting(timed.kind->runs(all, timed, next.outcome.fired->slot), timed.rules.concurrency_policy, before.last);
        co_await order_runs(timed, before);  // the fact is about to be overwritten: a replica may have died before it ordered its runs
      }
      auto replaced = next.outcome.fired ? next.outcome.fired->replaces : std::vector<std::string>{};
      if (!co_await write(timed, sequence, {next.outcome, next.state})) co_return queue_.add(timed.key);
      co_await replace(timed, before, replaced);
    }
  }
  co_await order_runs(timed, next.state);
  if (next.wait_until)
    queue_.add_at(timed.key, *next.wait_until);
  else
    queue_.clear_time(timed.key);
  auto from = informer_.source_of(timed.object);
  if (from.sequence == 0) co_return;  // deleted, or lost with the bus: its runs may not be ordered, although the status would say so
  std::optional<std::string> theirs;
  if (auto& last = next.state.last)
    for (auto& each : last->runs)
      if (!theirs) theirs = taken_from(timed, *last, each);
  if (theirs) log_.warning("run.taken", {{"schedule", timed.object.name}, {"why", *theirs}});
  auto fragment = timed.kind->status(informer_.objects(), timed, {next.state, next.outcome, next.next_slot, problem, theirs});
  co_await status_.report(timed.object, std::move(fragment), from, timed.part);
}

/// Writes the fact before acting on it: after a crash the runs are ordered again from the fact, under the same ids.
asio::awaitable<bool> service::write(timed_object const& timed, std::uint64_t expected, schedule_fact fact) {
  auto id = timed.key + "." + std::to_string(expected);
  bus::publication message{.subject = subjects::schedule(context_.cluster, timed.key),
                           .body = json::write(fact),
                           .head = envelope(outcome::type, context_.service, id, time_.now()),
                           .expected = expected};
  auto stored = co_await bus_.publish(std::move(message));
  if (!stored) {
    if (stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(stored.error().text);
    if (stored.error().actual)
      co_await facts_.view().until(*stored.error().actual);
    else
      co_await time_.sleep_for(20ms);
    co_return false;
  }
  if (fact.event.fired)
    log_.info("slot.fired",
              {{"schedule", timed.object.name}, {"slot", to_text(fact.event.fired->slot)}, {"runs", fact.state.last->runs.size()}});
  facts_.put(subjects::schedule(context_.cluster, timed.key), std::move(fact), stored->sequence);
  co_return true;
}

asio::awaitable<void> service::order_runs(timed_object const& timed, schedule_state const& state) {
  if (!state.last) co_return;
  auto last = *state.last;
  for (auto& each : last.runs) {
    if (run(each.run) || timed.kind->is_let_be(informer_.objects(), timed, last, each, time_.now())) continue;
    auto order = timed.kind->order(informer_.objects(), timed, controller::slot_of(last, each), each, last.runs.size() > 1);
    if (!order) co_return;
    co_await order_run(each.run, std::move(*order));
  }
}

asio::awaitable<void> service::replace(timed_object const& timed, schedule_state const& before, std::vector<std::string> const& runs) {
  if (!before.last) co_return;
  auto last = *before.last;
  for (auto& each : last.runs) {
    if (std::ranges::find(runs, each.run) == runs.end()) continue;
    auto object = timed.kind->object_of(informer_.objects(), timed, controller::slot_of(last, each), each);
    if (!object) continue;
    patch_metadata patch{.object = *std::move(object)};
    patch.annotations[std::string(annotation::cancel_run)] = "replaced by the next slot of " + timed.object.kind + " " + timed.object.name;
    co_await send(std::move(patch), each.run + "-replace", 15s);
  }
}

/// Orders the runs that the object is due for apart from slots.
asio::awaitable<void> service::settle_runs(controller::system const& system, timed_object timed) {
  auto runs_of = [this](std::string const& id, std::string_view plan) { return runs_.of(id, plan); };
  auto ticks = system.due_by_clock(informer_.objects(), timed.object, runs_of, time_.now());
  for (auto& each : ticks.due)
    if (!run(each.id)) co_await order_run(each.id, std::move(each.order));
  if (ticks.next) queue_.add_at(timed.key, *ticks.next);
}

/// Why the run with this id belongs to another object; empty: it does not.
std::optional<std::string> service::taken_from(timed_object const& timed, last_fire const& last, slot_run const& one) const {
  auto* fact = run(one.run);
  return fact ? timed.kind->taken(timed, controller::slot_of(last, one), one, *fact) : std::nullopt;
}

/// Updates the progress of a run of the last slot.
void service::look_at(timed_object const& timed, last_fire const& last, slot_run& one) const {
  auto* fact = run(one.run);
  one.terminal = taken_from(timed, last, one) || timed.kind->is_over(informer_.objects(), timed, last, one, fact, time_.now());
  one.waits = !one.terminal && fact && fact->stage == run_stage::Due;
}

run_state const* service::run(std::string const& id) const {
  auto* found = runs_.find(id);
  return found ? &found->state : nullptr;
}

}  // namespace kopiur::scheduler
