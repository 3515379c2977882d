#include "services/maintenance-lease/shell/service.hpp"

#include <algorithm>
#include <boost/asio.hpp>

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
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
constexpr std::chrono::seconds free_lease_is_kept = std::chrono::hours(24 * 7);
}  // namespace

service::service(bus::port& bus, clock& time, asio::any_io_executor loop, options options)
    : bus_(bus),
      time_(time),
      loop_(loop),
      options_(std::move(options)),
      leases_({bus, time, loop, options_.cluster, name, options_.shared}, subjects::states, {"kopiur.v1.lease.>"}, log_),
      run_view_(bus, time, loop, std::string(subjects::runs), {"kopiur.v1.run.>"}, bus::view::keep::marks),
      job_view_(bus, time, loop, std::string(subjects::resources), {"kopiur.v1.resource.*.Job.>", "kopiur.v1.resource.*.-.-.listed"},
                bus::view::keep::marks),
      queue_(time, loop, keys_at_a_time) {
  run_view_.on_change([this](std::string const& subject, bus::stored const* now) { run_changed(subject, now); });
  job_view_.on_change([this](std::string const& subject, bus::stored const* now) { job_changed(subject, now); });
  leases_.view().on_change([this](std::string const& subject, bus::stored const*) {
    auto* known = leases_.find(subject);
    if (!known) return;
    auto& state = known->value;
    if (auto moment = next_tick(state))
      queue_.add_at(state.key, std::max(*moment, time_.now() + 1s));
    else
      queue_.clear_time(state.key);
  });
}

asio::awaitable<void> service::serve() {
  app::nursery all(loop_);
  all.spawn(leases_.view().run());
  all.spawn(run_view_.run());
  all.spawn(job_view_.run());
  all.spawn(work());
  co_await all.join();
}

asio::awaitable<void> service::work() {
  co_await leases_.view().until_ready();
  co_await run_view_.until_ready();
  co_await job_view_.until_ready();
  ready_ = true;
  app::nursery all(loop_);
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
  auto unchanged = [](lease_state const&, std::uint64_t, unrecorded_holders const&) { return std::optional<change>{}; };
  auto now = co_await settle(key, {}, unchanged);
  if (auto again = next_tick(now)) queue_.add_at(key, std::max(*again, time_.now() + 5s));
}

asio::awaitable<void> service::answer(std::string const& key, pending one) {
  auto& request = one.request;
  auto cluster = std::visit([](auto& ask) { return ask.cluster; }, request);
  co_await settle(key, cluster, [&](lease_state const& state, std::uint64_t fence, unrecorded_holders const& beside) {
    return decide(state, request, fence, time_.now(), options_.rule, beside);
  });
  requests_->ack(one.delivery);
}

void service::measure(metrics::registry& into) const {
  into.add("controller_reconciliations_total", "Decisions that the service made.", {{"controller", name}}, static_cast<double>(decided_));
  std::size_t held = 0, waiting = 0;
  for (auto const& [_, known] : leases_.all()) held += known.value.holders.size(), waiting += known.value.waiters.size();
  into.set("kopiur_leases_held", "Leases and slots that runs hold.", static_cast<double>(held));
  into.set("kopiur_leases_waited_for", "Requests for leases that wait.", static_cast<double>(waiting));
}

asio::awaitable<lease_state> service::settle(std::string key, std::string asker, decision decide) {
  ++decided_;
  bool decided = false;
  for (auto entry = co_await read(key);;) {
    auto fence = entry.sequence + 1;
    auto beside = unrecorded_holders_beside(entry.state, asker);
    auto next = decided ? std::nullopt : decide(entry.state, fence, beside);
    bool by_request = next.has_value();
    if (!next)
      next =
          tick(entry.state, fence, time_.now(), options_.rule, [this](lease_holder const& holder) { return proof_of_end(holder); }, beside);
    if (!beside.empty() && !entry.state.waiters.empty()) kept_waiting_.insert(key);
    if (!next) co_return entry.state;
    auto state = next->state;
    auto written = co_await write(key, entry.sequence, std::move(*next));
    if (written && by_request) decided = true;
    if (written)
      entry = {std::move(state), *written};
    else
      entry = co_await read(key);
  }
}

/// Reads from the stream's leader: a lease decision must not use a copy that may lag.
asio::awaitable<service::entry> service::read(std::string const& key) {
  auto subject = subjects::lease(key);
  auto last = co_await bus_.last(std::string(subjects::states), subject);
  if (!last) throw std::runtime_error("lease " + key + ": " + last.error().text);
  if (!*last) co_return entry{.state = {.key = key}};
  auto& message = **last;
  auto* known = leases_.find(subject);
  auto* mark = leases_.view().find_mark(subject);
  if (known && mark && *mark == bus::view::mark{message.sequence, message.time}) co_return entry{known->value, message.sequence};
  auto state = json::read<lease_state>(message.body);
  if (!state) throw std::runtime_error("lease " + key + " does not hold a lease: " + state.error().text());
  co_return entry{std::move(*state), message.sequence};
}

asio::awaitable<std::optional<std::uint64_t>> service::write(std::string const& key, std::uint64_t expected, change one) {
  auto type = std::visit([](auto& e) { return std::string(e.type); }, one.event);
  bool free = one.state.holders.empty() && one.state.waiters.empty();
  bus::publication message{.subject = subjects::lease(key),
                           .body = json::write(one.state),
                           .head = envelope(type, name, key + "." + std::to_string(expected), time_.now()),
                           .expected = expected};
  // The run that the event is about: a run that was just removed is no longer in the state.
  message.head.emplace_back(proto::subject_run, std::visit([](auto& e) { return e.run; }, one.event));
  if (free) message.ttl = free_lease_is_kept, message.rollup = true;
  auto stored = co_await bus_.publish(std::move(message));
  if (!stored && stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error("lease " + key + ": " + stored.error().text);
  if (stored) log_.debug(type, {{"key", key}, {"holders", one.state.holders.size()}, {"waiters", one.state.waiters.size()}});
  co_return stored ? std::optional(stored->sequence) : std::nullopt;
}

void service::run_changed(std::string const& subject, bus::stored const* now) {
  auto fact = now ? controller::read<run_fact>(now->body, options_.shared.decoder) : std::expected<run_fact, json::problem>{std::unexpect};
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
  auto one = now ? controller::read<job>(now->body, options_.shared.decoder) : std::expected<job, json::problem>{std::unexpect};
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
  for (auto& each : state.waiters) clusters.insert(each.cluster);
  for (auto& each : clusters)  // its Jobs are not all known: one may work under the key
    if (!is_listed(each)) found.push_back({.cluster = each, .run = {}, .mode = lease_mode::Exclusive});
  auto there = workers_.find(state.key);
  if (there == workers_.end()) return found;
  std::set<std::pair<std::string_view, std::string_view>> held;  // a set, since many runs may hold the lease
  for (auto& each : state.holders) held.emplace(each.cluster, each.run);
  for (auto& [_, each] : there->second)
    if (!held.contains({each.cluster, each.run})) found.push_back(each);
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
