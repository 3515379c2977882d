#include "services/maintenance-lease/shell/service.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <unordered_map>

#include "proto/codec.hpp"
#include "proto/events/run.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/decoding.hpp"

namespace kopiur::maintenance_lease {

using namespace proto;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {
constexpr char const* name = "maintenance-lease";
constexpr std::size_t keys_at_a_time = 32;
constexpr int requests_at_a_time = 64;
}  // namespace

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : context_{bus, time, loop, options.cluster, name, options.shared},
      bus_(bus),
      time_(time),
      rule_(options.rule),
      kept_leases_(context_, log_),
      leases_(kept_leases_.book),
      store_(context_, leases_, log_),
      run_view_(bus, time, loop, std::string(subjects::runs), {"kopiur.v1.run.>"}, bus::view::keep::marks),
      job_view_(bus, time, loop, std::string(subjects::resources), {"kopiur.v1.resource.*.Job.>", "kopiur.v1.resource.*.-.-.listed"},
                bus::view::keep::marks),
      queue_(time, loop, keys_at_a_time) {
  run_view_.on_change([this](std::string const& subject, bus::stored const* now) { run_changed(subject, now); });
  job_view_.on_change([this](std::string const& subject, bus::stored const* now) { job_changed(subject, now); });
}

/// Wakes the key when its next holder or waiter expires; at once for waiters of an old version.
void service::wake_for(std::string const& key) {
  static lease_state const free;
  auto* known = leases_.find(key);
  auto& state = known ? known->state : free;
  if (auto moment = next_tick(state, leases_.queue(key)))
    queue_.add_at(key, std::max(*moment, time_.now() + 1s));
  else
    queue_.clear_time(key);
  if (!state.waiters.empty()) queue_.add(key);
}

asio::awaitable<void> service::serve() {
  app::nursery all(context_.loop);
  if (kept_leases_.own) all.spawn(leases_.view().run());
  all.spawn(run_view_.run());
  all.spawn(job_view_.run());
  all.spawn(work());
  co_await all.join();
}

asio::awaitable<void> service::work() {
  co_await leases_.view().until_ready();
  co_await run_view_.until_ready();
  co_await job_view_.until_ready();
  leases_.on_change(this, [this](std::string const& key) { wake_for(key); });
  for (auto& key : leases_.keys()) wake_for(key);
  ready_ = true;
  app::nursery all(context_.loop);
  all.spawn(receive());
  all.spawn(queue_.run([this](std::string key) { return decide_key(std::move(key)); }));
  co_await all.join();
}

asio::awaitable<void> service::receive() {
  requests_ = bus_.work(std::string(subjects::commands), durable::lease_requests, requests_at_a_time);
  for (;;) {
    auto next = co_await requests_->next();
    auto request = json::read<lease_request>(next.message.body);
    if (!request) {
      requests_->reject(next, "not a lease request: " + request.error().text());
      continue;
    }
    auto key = std::visit([](auto& ask) { return ask.key; }, *request);
    pending_[key].push_back({std::move(next), *std::move(request)});
    queue_.add(key);
  }
}

asio::awaitable<void> service::decide_key(std::string key) {
  if (auto received = pending_.extract(key)) {
    for (auto& each : received.mapped()) co_await answer(key, std::move(each));
    co_return;
  }
  co_await settle(key, {});
  wake_for(key);
}

asio::awaitable<void> service::answer(std::string key, pending one) {
  ++decided_;
  auto [cluster, run] = std::visit([](auto& ask) { return std::pair(ask.cluster, ask.run); }, one.request);
  lease_waiter asker{.cluster = std::move(cluster), .run = std::move(run), .key = key};
  if (std::holds_alternative<release_lease>(one.request)) co_await store_.remove(asker);  // first: from now on it is not granted any more
  co_await settle(key, co_await carry_out(one.request, std::move(asker)));
  requests_->ack(one.delivery);
}

asio::awaitable<std::optional<service::entry>> service::carry_out(lease_request const& request, lease_waiter asker) {
  std::optional<lease_store::waiting> mine;
  bool wants_it = std::holds_alternative<acquire_lease>(request);
  bool may_wait = wants_it && !leases_.queue(asker.key).empty();
  if (may_wait) mine = co_await store_.read_waiter(asker.key, asker.cluster, asker.run);
  auto seen = store_.seen(asker.key);
  for (bool is_last = !seen;; is_last = true) {
    auto found = is_last ? co_await store_.read(asker.key) : *std::move(seen);
    auto beside = wants_it ? unrecorded_holders_beside(found.state, asker.cluster) : unrecorded_holders();
    auto next = decide(look(found, beside), request, mine ? mine->waiter : std::nullopt, rule_);
    if (auto* holders = std::get_if<change>(&next)) {
      if (auto now = co_await store_.write(found, std::move(*holders))) co_return now;
    } else if (!is_last) {
      continue;  // that nothing changes must not follow from what this replica has seen
    } else if (auto* line = std::get_if<queued>(&next)) {
      if (mine && co_await store_.write(std::move(line->waiter), mine->sequence)) co_return std::nullopt;
      mine = co_await store_.read_waiter(asker.key, asker.cluster, asker.run);  // another replica may have written its entry
    } else {
      co_return found;
    }
  }
}

void service::measure(metrics::registry& into) const {
  into.add("controller_reconciliations_total", "Decisions that the service made.", {{"controller", name}}, static_cast<double>(decided_));
  std::size_t held = 0;
  for (auto const& [_, known] : leases_.all()) held += known.state.holders.size();
  into.set("kopiur_leases_held", "Leases and slots that runs hold.", static_cast<double>(held));
  into.set("kopiur_leases_waited_for", "Requests for leases that wait.", static_cast<double>(leases_.waiters()));
}

sight service::look(entry const& found, unrecorded_holders const& beside) const {
  return {found.state, leases_.queue(found.state.key), found.sequence + 1, time_.now(), beside};
}

asio::awaitable<void> service::settle(std::string key, std::optional<entry> known) {
  auto found = known ? *std::move(known) : co_await store_.read(key);
  for (;;) {
    co_await leases_.view().until(found.sequence);  // nobody is passed over who has waited since before that
    auto beside = leases_.queue(key).empty() ? unrecorded_holders() : unrecorded_holders_beside(found.state, {});
    if (!beside.empty()) kept_waiting_.insert(key);
    auto next = tick(look(found, beside), rule_, [this](lease_holder const& holder) { return proof_of_end(holder); });
    if (auto* gone = std::get_if<dropped>(&next)) {
      co_await store_.remove(std::move(gone->waiter));
      continue;
    }
    auto* holders = std::get_if<change>(&next);
    if (!holders) co_return;
    auto now = co_await store_.write(found, std::move(*holders));
    found = now ? *std::move(now) : co_await store_.read(key);
  }
}

void service::run_changed(std::string const& subject, bus::stored const* now) {
  auto fact = now ? controller::read<run_fact>(now->body, context_.shared.decoder) : std::expected<run_fact, json::problem>{std::unexpect};
  if (!fact) return void(stages_.erase(subject));
  stages_[subject] = fact->state.stage;
}

/// A Job records the leases of its mover. They count until nothing of the Job runs, whatever the lease states say: those may be lost.
void service::job_changed(std::string const& subject, bus::stored const* now) {
  if (subjects::part(subject, 4) != "Job") {  // the marker: all Jobs are known now
    for (auto& key : std::exchange(kept_waiting_, {})) queue_.add(key);
    return;
  }
  if (auto before = at_work_.extract(subject))
    for (auto& key : before.mapped().keys) {
      auto found = workers_.find(key);
      found->second.erase(subject);
      if (found->second.empty()) workers_.erase(found);
      if (kept_waiting_.erase(key)) queue_.add(key);
    }
  auto one = now ? controller::read<job>(now->body, context_.shared.decoder) : std::expected<job, json::problem>{std::unexpect};
  if (!one || one->status.pods_gone) return;
  auto& mover = at_work_[subject];
  mover = {.cluster = subjects::name(subjects::part(subject, 3)), .run = one->run, .keys = {}};
  for (auto& each : one->leases) {
    workers_[each.key][subject] = {.cluster = mover.cluster, .run = mover.run, .mode = each.mode};
    mover.keys.push_back(each.key);
  }
}

bool service::is_listed(std::string const& cluster) const { return job_view_.find_mark(subjects::resources_listed(cluster)) != nullptr; }

unrecorded_holders service::unrecorded_holders_beside(lease_state const& state, std::string const& asker) const {
  unrecorded_holders found;
  std::set<std::string> clusters;
  if (!asker.empty()) clusters.insert(asker);
  for (auto& each : leases_.queue(state.key).clusters()) clusters.insert(each);
  for (auto& each : clusters)  // its Jobs are not all known: one may work under the key
    if (!is_listed(each)) found.push_back({.cluster = each, .run = {}, .mode = lease_mode::Exclusive});
  auto there = workers_.find(state.key);
  if (there == workers_.end()) return found;
  std::unordered_multimap<std::string_view, std::string_view> held;  // the clusters, by run: many may hold the lease
  for (auto& each : state.holders) held.emplace(each.run, each.cluster);
  auto is_held = [&](lease_holder const& one) {
    auto [first, last] = held.equal_range(one.run);
    return std::any_of(first, last, [&](auto& known) { return known.second == one.cluster; });
  };
  for (auto& [_, each] : there->second)
    if (!is_held(each)) found.push_back(each);
  return found;
}

/// An expired holder's place is reassigned only when nothing of its run can act any more (decisions.md section 3).
std::optional<std::string> service::proof_of_end(lease_holder const& holder) const {
  auto known = stages_.find(subjects::run(holder.cluster, holder.run));
  auto stage = known == stages_.end() ? std::nullopt : std::optional(known->second);
  if (stage == run_stage::FollowThroughComplete) return "the run has ended";
  if (!is_listed(holder.cluster)) return {};  // an incomplete list proves nothing
  auto works = [&](auto const& mover) { return mover.second.cluster == holder.cluster && mover.second.run == holder.run; };
  if (std::ranges::any_of(at_work_, works)) return {};
  // A request for its Job may still be pending: the gateway checks this very lease before it creates one.
  bool may_have_job = stage == run_stage::Created;
  if (may_have_job) return {};
  return "the run has no Job, and none can be created without this lease";
}

}  // namespace kopiur::maintenance_lease
