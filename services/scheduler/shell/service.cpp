#include "services/scheduler/shell/service.hpp"

#include <boost/asio.hpp>

#include "proto/budget.hpp"
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
      full_(bus, time, {std::string(subjects::runs)}),
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
  app::nursery all(context_.loop);
  all.spawn(full_.run());
  all.spawn(resync());
  all.spawn(queue_.run([this](std::string key) { return try_to_settle(std::move(key)); }));
  co_await all.join();
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
  auto* known = facts_.find(subjects::schedule(context_.cluster, timed.key));
  auto sequence = known ? known->sequence : 0;
  auto next = scheduler::settle(view_of(timed, known ? &known->value : nullptr));
  if (next.changed) {
    if (next.fact.event.fired) co_await order_runs(timed, next.before);  // a replica may have died before it ordered them
    if (!co_await write(timed, sequence, next.fact)) co_return queue_.add(timed.key);
    for (auto& each : replaced_runs(view_of(timed), next)) co_await send(std::move(each.command), each.key, 15s);
  }
  co_await order_runs(timed, next.fact.state);
  if (next.wait_until)
    queue_.add_at(timed.key, *next.wait_until);
  else
    queue_.clear_time(timed.key);
  auto from = informer_.source_of(timed.object);
  if (from.sequence == 0) co_return;  // deleted, or lost with the bus: its runs may not be ordered, although the status would say so
  auto taken = taken_run(view_of(timed), next.fact.state);
  if (taken) log_.warning("run.taken", {{"schedule", timed.object.name}, {"why", *taken}});
  auto fragment = timed.kind->status(informer_.objects(), timed, {next.fact.state, next.fact.event, next.next_slot, next.problem, taken});
  co_await status_.report(timed.object, std::move(fragment), from, timed.part);
}

slots_view service::view_of(timed_object const& timed, schedule_fact const* known) const {
  auto full = why_no_run_begins(full_);
  return {.objects = informer_.objects(),
          .timed = timed,
          .known = known,
          .run = [this](std::string const& id) { return run(id); },
          .now = time_.now(),
          .holds = full ? std::optional(wait_reason{std::string(bus_full), *full}) : std::nullopt};
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
  for (auto& each : runs_to_order(view_of(timed), state))
    if (!run(each.id)) co_await order_run(each.id, std::move(each.order));  // another replica may have been faster
}

/// Orders the runs that the object is due for apart from slots.
asio::awaitable<void> service::settle_runs(controller::system const& system, timed_object timed) {
  auto runs_of = [this](std::string const& id, std::string_view plan) { return runs_.of(id, plan); };
  auto ticks = system.due_by_clock(informer_.objects(), timed.object, runs_of, time_.now());
  if (why_no_run_begins(full_)) co_return queue_.add_after(timed.key, 1min);
  for (auto& each : ticks.due)
    if (!run(each.id)) co_await order_run(each.id, std::move(each.order));
  if (ticks.next) queue_.add_at(timed.key, *ticks.next);
}

run_state const* service::run(std::string const& id) const {
  auto* found = runs_.find(id);
  return found ? &found->state : nullptr;
}

}  // namespace kopiur::scheduler
