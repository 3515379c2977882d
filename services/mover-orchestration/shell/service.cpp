#include "services/mover-orchestration/shell/service.hpp"

#include <boost/asio.hpp>

#include "common/bus/administration.hpp"
#include "proto/budget.hpp"
#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/event_once.hpp"
#include "services/controller/core/jobs.hpp"
#include "services/mover-orchestration/core/shrunk.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {
constexpr duration command_pause = 12s, request_pause = 3s;
/// A request for an object without effect is repeated after this time.
constexpr duration until_asked_again = 15s;
/// Each round of the resync drives the runs, because their leases expire; objects are reconciled in one round of this many.
constexpr int rounds_to_all = 4;
constexpr std::size_t workers = 64;
constexpr int triggers_at_a_time = 32;
constexpr duration whole_for = 1h, shrink_every = 30s;
constexpr std::size_t shrunk_at_a_time = 64;
}  // namespace

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : service_base({bus, time, loop, options.cluster, "mover-orchestration", options.shared}, controller::cluster_cache::everything(),
                   {"object"}),
      options_(std::move(options)),
      runs_(cache_.runs()),
      kept_leases_(context_, log_),
      leases_(kept_leases_.book),
      new_grants_(options_.cluster),
      answers_(context_, subjects::answers, {"kopiur.v1.answer." + subjects::token(options_.cluster) + ".gateway.>"}, log_),
      queue_(time, loop, workers, [this](work_key const& key) { return share_of(key); }),
      lists_(context_, log_,
             [this] {
               if (ready())
                 for (auto& each : concerned_by_lists(open())) queue_.add(each);
             }),
      watch_(context_, log_),
      full_(bus, time, {std::string(subjects::runs)}),
      traces_(time, loop, options_.traces) {
  if (kept_leases_.own) follow(leases_.view());
  follow(answers_.view()), follow(lists_.view()), follow(watch_.view());
}

asio::awaitable<void> service::work() {
  using triggers = controller::triggers<work_key>;
  auto& loop = context_.loop;
  triggers objects(bus_, loop, queue_, subjects::resources, durable::orchestration_resources(context_.cluster), triggers_at_a_time);
  triggers runs(bus_, loop, queue_, subjects::runs, durable::orchestration_runs(context_.cluster), triggers_at_a_time);
  triggers leases(bus_, loop, queue_, subjects::states, durable::orchestration_leases(context_.cluster), triggers_at_a_time);
  triggers answers(bus_, loop, queue_, subjects::answers, durable::orchestration_answers(context_.cluster), triggers_at_a_time);
  auto seen_by = [this](bus::view* view) { return [this, view](bus::stored const& message) { return keys_of(message, view); }; };
  app::nursery all(loop);
  all.spawn(objects.follow(seen_by(nullptr)));
  all.spawn(runs.follow(seen_by(&runs_.view())));
  all.spawn(leases.follow(seen_by(&leases_.view())));
  all.spawn(answers.follow(seen_by(&answers_.view())));
  all.spawn(queue_.run([this](work_key key) { return work_on(std::move(key)); }));
  all.spawn(full_.run());
  all.spawn(traces_.run());
  all.spawn(lists_.serve());
  all.spawn(resync());
  all.spawn(shrink_runs());
  all.spawn(keep_watch());
  co_await all.join();
}

asio::awaitable<void> service::work_on(work_key key) {
  if (auto* object = std::get_if<object_key>(&key)) return reconcile_object(std::move(*object));
  return count_decision(drive(std::get<run_key>(std::move(key)).run));
}

/// The namespace that the key belongs to.
std::string service::share_of(work_key const& key) const {
  if (auto* object = std::get_if<object_key>(&key)) return object->namespace_;
  auto* run = runs_.find(std::get<run_key>(key).run);
  return run ? run->state.order.object.namespace_ : "";
}

open_runs service::open() const {
  return {.of_object = [this](object_ref const& object) { return runs_.open_for(object); }, .due = runs_.due()};
}

/// An object whose run waits for something a user must provide, or for a pod that cannot start: waits whose deadline counts only watched
/// time.
std::optional<object_ref> service::waits_for_users() const {
  for (auto& [_, one] : runs_.open())
    if (one->missing_since || one->unstarted_since) return one->order.object;
  return {};
}

asio::awaitable<void> service::keep_watch() {
  constexpr int looks_back = 4;
  for (;; co_await time_.sleep_for(watch::stretch)) {
    auto waits = waits_for_users();
    if (!waits) continue;
    for (int back = 0; back < looks_back; ++back) {
      auto* said = answer(read_object::member, watch_.key(back));
      if (!said || (said->code != answer_code::Ok && said->code != answer_code::NotFound)) continue;
      co_await watch_.note(back);
      break;
    }
    co_await send(read_object{*std::move(waits)}, watch_.key(0), watch::stretch);
  }
}

/// Resync: listed state alone leads to the same decisions, whatever message was lost. Writes nothing when all is in order.
asio::awaitable<void> service::resync() {
  for (int round = 0;; ++round) {
    std::vector<work_key> keys;
    if (round % rounds_to_all == 0) {
      keys = all_objects(look_around());
      co_await publish_asks(removals_of_left_jobs(look_around(), [this](std::string const& run) { return runs_.is_written(run); }), {});
    }
    for (auto& [id, _] : runs_.open()) keys.push_back(run_key{id});
    co_await look_again_at(std::move(keys));
    std::erase_if(asked_, [&](auto& one) { return time_.now() - one.second > 10min; });
    co_await time_.sleep_for(30s);
  }
}

/// A few at a time: a start beside thousands must not keep the process from what is new.
asio::awaitable<void> service::look_again_at(std::vector<work_key> keys) {
  constexpr std::size_t at_a_time = 250;
  constexpr duration pause = 100ms;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0 && i % at_a_time == 0) co_await time_.sleep_for(pause);
    queue_.add(std::move(keys[i]), app::urgency::background);
  }
}

/// Replaces the facts of runs that are over for an hour, a few at a time: a bus keeps runs for 90 days.
service::task service::shrink_runs() {
  for (;; co_await time_.sleep_for(shrink_every))
    for (auto& run : runs_.over_since(time_.now() - whole_for, shrunk_at_a_time)) {
      auto* found = runs_.find(run);
      if (!found || found->shrunk) continue;
      auto outcome = found->state.outcome.value_or(run_outcome::Unknown);
      run_fact fact{.event = run_finished{.outcome = outcome}, .state = shrunk(found->state)};
      auto expected = found->sequence;
      co_await runs_.shrink(context_.service, run, expected, std::move(fact));
    }
}

cluster_view service::look_around() const {
  return {.objects = informer_.objects(),
          .run =
              [this](std::string const& run) {
                auto* found = runs_.find(run);
                return found ? &found->state : nullptr;
              },
          .runs_of = [this](std::string const& uid, std::string_view plan) { return runs_.of(uid, plan); },
          .answer = [this](std::string_view verb, std::string_view key) { return answer(verb, key); },
          .list = [this](std::string const& uid) { return lists_.head(uid); },
          .listed = [this](controller::list_query const& what) { return lists_.find(what); },
          .lease = [this](std::string const& key) { return lease(key); },
          .cluster = context_.cluster,
          .can = options_.can,
          .now = time_.now()};
}

lease_state const* service::lease(std::string_view key) const {
  auto* found = leases_.find(key);
  return found ? &found->state : nullptr;
}

proto::answer const* service::answer(std::string_view verb, std::string_view key) const {
  auto* found = answers_.find(subjects::answer(context_.cluster, "gateway", verb, key));
  return found ? &found->value : nullptr;
}

namespace {
/// Adds the run's Jobs; requires a plan.
void see_jobs(observation& seen, run_state const& run, controller::objects const& all) {
  for (auto* job : controller::jobs_of(all, run.plan->namespace_, run.run))
    if (job->attempt == run.attempt)
      seen.job = &job->status, seen.job_leases = &job->leases;
    else
      seen.older_jobs.push_back(job->attempt);
}
}  // namespace

observation service::look(run_state const& run, cluster_view const& all) const {
  auto* kind = find_plan(run.order.plan);
  observation seen;
  seen.now = all.now;
  seen.prepare = [&all, &run] { return prepare(all, run); };
  seen.answer = all.answer;
  seen.watched = [this](instant since) { return watch_.watched(since); };
  seen.lease = [this](std::string_view key) { return lease(key); };
  seen.place = [this, &run](std::string_view key) { return leases_.place(key, run.cluster, run.run); };
  if (run.plan) see_jobs(seen, run, all.objects);
  auto& object = run.order.object;
  if (run.order.create) {
    auto* made = controller::find_meta(all.objects, object.kind, {object.namespace_, object.name});
    seen.object_exists = made && controller::is_object_of(run, *made);
  }
  seen.receipt_seen = !kind || !kind->receipt || kind->receipt(all, run);
  seen.committed_before = kind && kind->committed_before ? kind->committed_before(all, run) : 0;
  seen.cancel = wants_cancel(all, run);
  seen.other = all.run;
  seen.rests_already = [&all, &run] { return rests_already(all, run); };
  if (kind && kind->secure && run.plan) seen.secure = [&all, &run, kind] { return secure(all, run, *kind); };
  if (kind && kind->keep && run.plan) seen.keep = [&all, &run, kind] { return keep(all, run, *kind); };
  if (kind && kind->follow && run.plan) seen.follow = [&all, &run, kind] { return mover_orchestration::follow(all, run, *kind); };
  if (kind && kind->attendants) seen.attendants = [&all, &run, kind] { return kind->attendants(all, run); };
  return seen;
}

asio::awaitable<void> service::drive(std::string run) {
  for (;;) {
    auto* found = runs_.find(run);
    // A shrunk one would report less than its status has.
    if (!found || found->shrunk) co_return;
    if (auto seen = found->seen; informer_.seen() < seen) {  // else an object that is not yet in this cache would count as deleted
      co_await informer_.until(seen);
      found = runs_.find(run);
      if (!found) co_return;
    }
    auto all = look_around();
    auto sequence = found->sequence;
    auto changed = found->state.changed_at;
    auto seen = look(found->state, all);
    seen.sequence = sequence;
    auto next = advance(found->state, seen);
    if (!next.fact) {
      if (next.wake)
        queue_.add_at(run_key{run}, *next.wake);
      else
        queue_.clear_time(run_key{run});
      auto* kind = find_plan(found->state.order.plan);
      auto statuses = kind && kind->report ? kind->report(all, found->state) : std::vector<controller::object_status>{};
      for (auto& [object, fragment] : statuses) co_await status_.report(object, std::move(fragment), {sequence, changed});
      co_return co_await publish_asks(std::move(next.asks), run);
    }
    auto event = next.fact->event;
    if (!co_await runs_.write(context_.service, run, sequence, std::move(*next.fact)))
      co_await time_.sleep_for(20ms);
    else if (auto* now = runs_.find(run))
      count(event, now->state);
  }
}

void service::count(run_event const& event, run_state const& run) {
  for (auto* system : systems()) system->count_fact(event, run, counted_);
  traces_.add(run);
}

namespace {
/// An Event of each object that waits, since no run exists that could say it.
std::vector<ask> events_of(cluster_view const& all, std::vector<new_run> const& held_back, std::string const& why) {
  std::vector<ask> events;
  for (auto& each : held_back) {
    record_event event{.object = each.order.object, .type = "Warning", .reason = std::string(bus_full), .message = why};
    auto key = each.order.object.uid + "-bus-full";
    if (auto one = controller::event_once(all, std::move(event), std::move(key), all.now, 10min)) events.push_back(*std::move(one));
  }
  return events;
}
}  // namespace

asio::awaitable<void> service::reconcile_object(object_key key) {
  auto all = look_around();
  object_ref object{key.kind, key.namespace_, key.name, {}};
  auto needs = mover_orchestration::reconcile(all, object);
  if (!needs.asks.empty()) needs.wake = std::min(needs.wake.value_or(instant::max()), all.now + until_asked_again);
  if (needs.wake)
    queue_.add_at(key, *needs.wake);
  else
    queue_.clear_time(key);
  auto made_from = informer_.source_of_all();
  co_await publish_asks(std::move(needs.asks), {});  // first: the cluster takes time, and a run waits for its object's finalizer
  auto full = needs.orders.empty() ? std::nullopt : why_no_run_begins(full_);
  if (full) {
    log_.warning("run.not-begun", {{"reason", std::string(bus_full)}, {"object", key.name}, {"why", *full}});
    queue_.add_after(key, until_asked_again);
    co_await publish_asks(events_of(all, std::exchange(needs.orders, {}), *full), {});
  }
  for (auto& each : needs.orders) co_await order(each);
  for (auto& [target, fragment] : needs.statuses)
    if (!co_await status_.report(target, std::move(fragment), made_from, "object")) queue_.add_after(key, controller::until_seen);
}

asio::awaitable<void> service::order(new_run const& one) {
  if (co_await order_run(one.id, one.order)) queue_.add(run_key{one.id});
}

void service::measure(metrics::registry& into) const {
  service_base::measure(into);
  for (auto* system : systems()) system->measure(informer_.objects(), into);
  into.set("kopiur_bus_full", "Whether no new run begins because the bus has too few bytes left for runs (reason BusFull).",
           why_no_run_begins(full_) ? 1 : 0);
  into.merge(counted_);
}

/// Suppresses repeated requests: an answer takes time, and a second look at the same state is not a new request.
bool service::asked_lately(std::string const& subject, duration pause) {
  auto now = time_.now();
  auto [last, fresh] = asked_.try_emplace(subject, now);
  if (!fresh && now - last->second < pause && now >= last->second) return true;
  last->second = now;
  return false;
}

asio::awaitable<void> service::publish_asks(std::vector<ask> asks, std::string run) {
  for (auto& each : asks) {
    if (auto* request = std::get_if<lease_request>(&each.what)) {
      co_await publish_request(std::move(*request));
      continue;
    }
    if (auto* more = std::get_if<new_run>(&each.what)) {
      co_await order(*more);
      continue;
    }
    if (auto* query = std::get_if<controller::list_query>(&each.what)) {
      lists_.want(std::move(*query));
      continue;
    }
    auto& command = std::get<gateway_command>(each.what);
    auto verb = std::visit([](auto& one) { return one.member; }, command);
    if (asked_lately(std::string(verb) + " " + each.key, command_pause)) continue;
    for (auto* system : systems()) system->count_command(command, informer_.objects(), counted_);
    co_await send(std::move(command), each.key, command_pause, run);
  }
}

asio::awaitable<void> service::publish_request(lease_request request) {
  auto subject = std::visit([](auto& ask) { return subjects::lease_request(ask.member, ask.key, ask.run); }, request);
  if (asked_lately(subject, request_pause)) co_return;
  auto id = subject + "." + std::to_string(time_.now().time_since_epoch() / request_pause);
  bus::publication message{
      .subject = subject, .body = json::write(request), .head = envelope("lease.request.v1", context_.service, id, time_.now()), .id = id};
  auto stored = co_await bus_.publish(std::move(message));
  if (!stored && !bus::is_pending_already(stored.error())) throw std::runtime_error(subject + ": " + stored.error().text);
}

}  // namespace kopiur::mover_orchestration
