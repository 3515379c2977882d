#include "services/scheduler/shell/service.hpp"

#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"

namespace kopiur::scheduler {

using rules::backup_name;

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options how)
    : service_base({bus, time, loop, how.cluster, "scheduler", how.shared},
                   {.kinds = controller::what_people_write, .whole_run = [](run_state const&) { return false; }}, {"full", "quick"}),
      how_(std::move(how)),
      runs_(cache_.runs()),
      facts_(context_, subjects::states, {"kopiur.v1.schedule." + subjects::token(how_.cluster) + ".>"}, log_),
      timers_(time, loop),
      hands_(loop) {
  follow(facts_.view());
  on_object([this](object_ref const& object) { changed(object); });
  // Another replica has decided: where our share of the status was made of the fact before, it is made anew.
  facts_.view().on_change([this](std::string const& subject, bus::stored const*) {
    if (works_) queue_later(subjects::name(subjects::part(subject, 4)));
  });
  on_run([this](std::string const&, controller::run_index::entry const* now) {
    bool connected = now && now->state.order.plan == "connect" && now->state.stage == run_stage::FollowThroughComplete;
    if (connected) queue(now->state.order.object.uid);
  });
}

asio::awaitable<void> service::work() {
  hands_.spawn(sweep());
  hands_.spawn(ring());
  works_ = true;
  start();
  co_await hands_.join();
}

/// First come, first served: slots in the order in which they begin.
void service::queue(std::string const& key) {
  if (in_hand_.contains(key)) return void(again_.insert(key));
  later_.members.erase(key);
  if (due_.members.insert(key).second) due_.order.push_back(key);
  start();
}

/// Behind all that is due.
void service::queue_later(std::string const& key) {
  if (in_hand_.contains(key)) return void(again_.insert(key));
  if (!due_.members.contains(key) && later_.members.insert(key).second) later_.order.push_back(key);
  start();
}

std::optional<std::string> service::take_next() {
  for (auto* from : {&due_, &later_})
    while (!from->order.empty()) {
      auto key = std::move(from->order.front());
      from->order.pop_front();
      if (from->members.erase(key) && !in_hand_.contains(key)) return key;
    }
  return {};
}

void service::start() {
  while (works_ && in_hand_.size() < how_.hands) {
    auto key = take_next();
    if (!key) return;
    in_hand_.insert(*key);
    hands_.spawn(hand(std::move(*key)));
  }
}

void service::changed(object_ref const& object) {
  if (object.kind == "BackupSchedule" || object.kind == "Maintenance") {
    for (auto& each : lines_of(informer_.objects(), object)) of_[each.key] = each.object, queue(each.key);
  } else if (object.kind == "Repository" || object.kind == "ClusterRepository") {
    if (!object.uid.empty()) of_[object.uid] = object, queue(object.uid);
    queue_held(object);
  } else if (object.kind == "BackupConfig") {
    for (auto& [key, one] : informer_.objects().schedules)
      if (key.namespace_ == object.namespace_ && one.spec.config_ref.name == object.name) queue(one.metadata.uid);
  } else if (object.kind == "Backup") {
    for (auto const& each : schedules_with(informer_.objects(), object)) queue(each);
  }
}

/// Who waits for a repository to be usable looks again.
void service::queue_held(object_ref const& repository) {
  for (auto& each : schedules_at(informer_.objects(), repository)) {
    auto* known = facts_.find(subjects::schedule(context_.cluster, each));
    if (known && known->value.state.held) queue(each);
  }
}

asio::awaitable<void> service::ring() {
  try {
    for (;;) queue(co_await timers_.due());
  } catch (...) {
    works_ = false;  // we are to end: nothing new is begun
    throw;
  }
}

/// The net: everything is looked at every five minutes, whatever was lost. Writes nothing when all is well.
asio::awaitable<void> service::sweep() {
  for (auto& each : lines_of(informer_.objects())) of_[each.key] = each.object;
  rules::for_each_repository(informer_.objects(), [this](rules::any_repository const& one) { of_[one.meta->uid] = one.ref(); });
  for (;;) {
    co_await look_at_all();
    co_await time_.sleep_for(5min);
  }
}

/// A few at a time: what is due goes first, and a large fleet takes minutes.
asio::awaitable<void> service::look_at_all() {
  constexpr std::size_t few = 32;
  for (auto at = of_.begin(); at != of_.end();) {
    for (std::size_t i = 0; i < few && at != of_.end(); ++i, ++at) queue_later(at->first);
    if (at == of_.end()) break;
    auto next = at->first;
    do co_await time_.sleep_for(100ms);
    while (!later_.order.empty());
    at = of_.lower_bound(next);
  }
}

asio::awaitable<void> service::hand(std::string key) {
  std::exception_ptr failed;
  try {
    co_await asio::post(context_.loop, asio::use_awaitable);  // one after the other, not one within the other
    co_await informer_.until_listed();                        // after a lost bus the objects come one by one
    co_await count_decision(settle(key));
  } catch (std::exception const& e) {
    if (app::is_cancelled(std::current_exception()))
      failed = std::current_exception();
    else
      log_.warning("line.failed", {{"key", key}, {"problem", e.what()}}), timers_.set(key, time_.now() + 5s);
  }
  in_hand_.erase(key);
  if (failed) std::rethrow_exception(failed);
  if (again_.erase(key)) queue(key);
  start();
}

asio::awaitable<void> service::settle(std::string key) {
  auto found = of_.find(key);
  if (found == of_.end()) co_return;
  if (found->second.kind == "Repository" || found->second.kind == "ClusterRepository") co_return co_await settle_repository(key);
  for (auto& each : lines_of(informer_.objects(), object_ref(found->second)))
    if (each.key == key) co_return co_await settle_line(each);
  of_.erase(key), timers_.clear(key);  // its object is gone, or going
}

asio::awaitable<void> service::settle_line(line of) {
  auto& all = informer_.objects();
  auto table = timetable::compile(of.rules, of.key);
  auto problem = table ? unresolved(all, of) : std::optional(table.error());
  auto* known = facts_.find(subjects::schedule(context_.cluster, of.key));
  auto sequence = known ? known->sequence : 0;
  auto at = known ? known->value : schedule_fact{.event = {}, .state = begin(of.key, of.created, last_fire_of(all, of))};
  auto next = decision{.outcome = at.event, .state = at.state};
  if (!problem) {
    auto before = at.state;
    if (before.last)
      for (auto& each : before.last->runs) look_at(of, *before.last, each);
    next = decide(*table, of.rules, before, time_.now(), hold_of(all, of));
    bool said = next.outcome != outcome{};
    if (!said) next.outcome = at.event;
    auto compare = next.state;  // which runs are over is derived; it alone is no news
    if (compare.last && at.state.last && compare.last->slot == at.state.last->slot) compare.last = at.state.last;
    if (!(compare == at.state)) {
      if (said && next.outcome.fired) {
        next.state.last->runs =
            runs_of(of.object.namespace_, of.key, next.outcome.fired->slot, sources_for(all, of), of.rules.concurrency_policy, before.last);
        co_await order_runs(of, before);  // its fact is about to be overwritten: who died after writing it left its orders to us
      }
      auto replaced = next.outcome.fired ? next.outcome.fired->replaces : std::vector<std::string>{};
      if (!co_await write(of, sequence, {next.outcome, next.state})) co_return queue(of.key);
      co_await replace(of, before, replaced);
    }
  }
  co_await order_runs(of, next.state);
  if (next.wait_until)
    timers_.set(of.key, *next.wait_until);
  else
    timers_.clear(of.key);
  auto from = informer_.source_of(of.object);
  if (from.sequence == 0) co_return;  // gone meanwhile, or all are, with the bus: its runs may not be ordered, and the status would say so
  std::optional<std::string> theirs;
  if (auto& last = next.state.last)
    for (auto& each : last->runs)
      if (!theirs) theirs = taken_from(of, *last, each);
  if (theirs) log_.warning("run.taken", {{"schedule", of.object.name}, {"why", *theirs}});
  auto claim = status_of(informer_.objects(), of, next.state, next.outcome, next.next_slot, problem, theirs);
  co_await status_.report(of.object, std::move(claim), from, of.full ? (*of.full ? "full" : "quick") : "");
}

/// The fact first, then what follows from it: after a crash the runs are ordered again from the fact, under the same ids.
asio::awaitable<bool> service::write(line const& of, std::uint64_t expected, schedule_fact fact) {
  auto id = of.key + "." + std::to_string(expected);
  bus::publication message{.subject = subjects::schedule(context_.cluster, of.key),
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
              {{"schedule", of.object.name}, {"slot", to_text(fact.event.fired->slot)}, {"runs", fact.state.last->runs.size()}});
  facts_.put(subjects::schedule(context_.cluster, of.key), std::move(fact), stored->sequence);
  co_return true;
}

asio::awaitable<void> service::order_runs(line const& of, schedule_state const& state) {
  if (!state.last) co_return;
  auto last = *state.last;
  for (auto& each : last.runs) {
    bool known = run(each.run) || is_over(informer_.objects(), of, last, each, nullptr, time_.now());
    if (known && !of.full) continue;
    if (of.full && run(each.run)) continue;
    // A Maintenance's run that is no longer known is not ordered again once its slot is old: it is no object that could tell.
    if (of.full && time_.now() - last.slot > 1h) continue;
    auto order = order_of(informer_.objects(), of, slot_of(last, each), each, last.runs.size() > 1);
    if (!order) co_return;
    co_await order_run(each.run, std::move(*order));
  }
}

asio::awaitable<void> service::replace(line const& of, schedule_state const& before, std::vector<std::string> const& runs) {
  if (!before.last) co_return;
  auto last = *before.last;
  for (auto& each : last.runs) {
    if (std::ranges::find(runs, each.run) == runs.end()) continue;
    auto* object =
        controller::find(informer_.objects().backups, of.object.namespace_, backup_name(of.object.name, slot_of(last, each), each.source));
    if (!object) continue;
    patch_metadata patch{.object = controller::ref_of(*object)};
    patch.annotations[std::string(annotation::cancel_run)] = "replaced by the next slot of BackupSchedule " + of.object.name;
    co_await send(std::move(patch), each.run + "-replace", 15s);
  }
}

asio::awaitable<void> service::settle_repository(std::string uid) {
  auto repository = rules::find_repository(informer_.objects(), of_[uid]);
  if (!repository || repository->meta->uid != uid) co_return;
  std::vector<run_state const*> connects;
  for (auto* one : runs_.of(uid, "connect"))
    if (one->order.object.uid == uid) connects.push_back(one);
  auto ticks = lists_of(*repository, connects, time_.now());
  for (auto& each : ticks.due)
    if (!run(each.id)) co_await order_run(each.id, std::move(each.order));
  if (ticks.next) timers_.set(uid, *ticks.next);
}

/// Whether somebody else's run has the id of this one.
std::optional<std::string> service::taken_from(line const& of, last_fire const& last, slot_run const& one) const {
  auto* fact = run(one.run);
  return fact ? taken(of, slot_of(last, one), one, *fact) : std::nullopt;
}

/// How far a run of the last slot is.
void service::look_at(line const& of, last_fire const& last, slot_run& one) const {
  auto* fact = run(one.run);
  one.terminal = taken_from(of, last, one) || is_over(informer_.objects(), of, last, one, fact, time_.now());
  one.waits = !one.terminal && fact && fact->stage == run_stage::Due;
}

run_state const* service::run(std::string const& id) const {
  auto* found = runs_.find(id);
  return found ? &found->state : nullptr;
}

}  // namespace kopiur::scheduler
