#include "services/controller/shell/run_index.hpp"

#include <algorithm>
#include <utility>

#include "common/encoding/number.hpp"
#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/decoding.hpp"
#include "services/controller/core/run_facts.hpp"

namespace kopiur::controller {

using namespace proto;
namespace asio = boost::asio;

namespace {

/// How far the fact's writer had seen the objects; 0 when the header is absent.
std::uint64_t seen_by(bus::headers const& head) {
  return encoding::leading_number<std::uint64_t>(bus::header(head, objects_seen)).value_or(0);
}

run_state outline(run_state run) {
  run.plan.reset(), run.result.reset(), run.order.create.reset();
  run.order.parameters = {}, run.leases = {}, run.hooks_failed = {};
  std::string().swap(run.log_tail);  // an assignment would keep the capacity
  return run;
}

auto place_in(std::vector<run_state const*>& in, std::string const& run) {
  return std::ranges::lower_bound(in, run, {}, [](run_state const* one) -> std::string const& { return one->run; });
}

std::string key(std::string const& uid, std::string_view plan) { return uid + " " + std::string(plan); }
std::string open_key(object_ref const& object) { return "open " + object.kind + " " + object.namespace_ + "/" + object.name; }

/// The keys under which the run is indexed.
std::set<std::string> keys_of(run_state const& state) {
  std::set<std::string> keys;
  for (auto& id : concerned(state)) keys.insert(key(id, state.order.plan));
  if (state.stage != run_stage::FollowThroughComplete) keys.insert(open_key(state.order.object));
  return keys;
}

void note(std::map<std::string, run_state const*>& in, run_state const& one, bool belongs) {
  if (belongs)
    in[one.run] = &one;
  else
    in.erase(one.run);
}

}  // namespace

run_index::run_index(service_context const& context, log::logger log, std::function<std::uint64_t()> objects_seen,
                     std::function<bool(run_state const&)> whole)
    : context_(context),
      log_(std::move(log)),
      objects_seen_(std::move(objects_seen)),
      whole_(std::move(whole)),
      view_(context.bus, context.time, context.loop, std::string(subjects::runs),
            {"kopiur.v1.run." + subjects::token(context.cluster) + ".>"}, bus::view::keep::marks) {
  view_.on_change([this](std::string const& subject, bus::stored const* now) {
    auto run = subjects::name(subjects::part(subject, 4));
    take(run, now);
    told_.tell(run, find(run));
  });
}

run_index::entry const* run_index::find(std::string const& run) const {
  auto found = runs_.find(run);
  return found == runs_.end() ? nullptr : &found->second;
}

bool run_index::is_written(std::string const& run) const { return view_.find_mark(subjects::run(context_.cluster, run)) != nullptr; }

std::vector<run_state const*> run_index::under(std::string const& key) const {
  auto found = index_.find(key);
  return found == index_.end() ? std::vector<run_state const*>{} : found->second;
}

std::vector<run_state const*> run_index::of(std::string const& uid, std::string_view plan) const { return under(key(uid, plan)); }

std::vector<run_state const*> run_index::open_for(object_ref const& object) const { return under(open_key(object)); }

void run_index::take(std::string const& run, bus::stored const* now) {
  if (!now) return drop(run);
  auto found = runs_.find(run);
  if (found != runs_.end() && found->second.ahead) {
    found->second.ahead = found->second.sequence > now->sequence;
    if (found->second.sequence >= now->sequence) return;
  }
  auto fact = controller::read<run_fact>(now->body, context_.shared.decoder);
  bool shrunk = !bus::header(now->head, shrunk_fact).empty();
  if (fact) return put(run, {std::move(fact->state), now->sequence, shrunk, seen_by(now->head)}, false);
  drop(run);
  log_.error("run.undecodable", {{"run", run}, {"problem", fact.error().text()}});
}

void run_index::put(std::string const& run, entry fact, bool ahead) {
  auto& known = runs_[run];  // the map node is stable, so pointers to it stay valid
  unshrunk_.erase({known.state.changed_at, run});
  forget(known);
  auto keys = keys_of(fact.state);
  if (!fact.state.ordered_as) fact.state.ordered_as = fact.sequence;  // the first fact cannot contain its own sequence
  if (!whole_(fact.state)) fact.state = outline(std::move(fact.state));
  known = {std::move(fact), ahead};
  enter(known, keys);
  note(open_, known.state, known.state.stage != run_stage::FollowThroughComplete);
  note(due_, known.state, known.state.stage == run_stage::Due);
  if (known.state.stage == run_stage::FollowThroughComplete && !known.shrunk) unshrunk_.emplace(known.state.changed_at, run);
}

void run_index::drop(std::string const& run) {
  auto found = runs_.find(run);
  if (found == runs_.end()) return;
  forget(found->second);
  open_.erase(run), due_.erase(run), unshrunk_.erase({found->second.state.changed_at, run});
  runs_.erase(found);
}

void run_index::enter(known& one, std::set<std::string> const& keys) {
  for (auto& each : keys) {
    auto found = index_.try_emplace(each).first;
    found->second.insert(place_in(found->second, one.state.run), &one.state);
    one.found_by.push_back(found);
  }
}

void run_index::forget(known& one) {
  for (auto found : std::exchange(one.found_by, {})) {
    found->second.erase(place_in(found->second, one.state.run));
    if (found->second.empty()) index_.erase(found);
  }
}

std::vector<std::string> run_index::over_since(instant then, std::size_t most) const {
  std::vector<std::string> found;
  for (auto& [since, run] : unshrunk_) {
    if (since > then || found.size() == most) break;
    found.push_back(run);
  }
  return found;
}

bus::publication run_index::message_of(std::string const& by, std::string const& run, std::uint64_t expected, run_fact const& fact) const {
  auto type = std::visit([](auto& e) { return std::string(e.type); }, fact.event);
  bus::publication message{.subject = subjects::run(context_.cluster, run),
                           .body = json::write(fact),
                           .head = envelope(type, by, run + "." + std::to_string(expected), fact.state.changed_at),
                           .expected = expected};
  message.head.push_back(traceparent(run));
  message.head.emplace_back(objects_seen, std::to_string(objects_seen_()));
  return message;
}

asio::awaitable<bool> run_index::write(std::string by, std::string run, std::uint64_t expected, run_fact fact) {
  auto type = std::visit([](auto& e) { return std::string(e.type); }, fact.event);
  bus::headers about{{"stage", std::string(json::to_text(fact.state.stage))}, {"object", fact.state.order.object.name}};
  auto attempt = fact.state.attempt;
  auto message = message_of(by, run, expected, fact);
  if (!co_await store(run, std::move(message), std::move(fact), false)) co_return false;
  log_.info(type, {{"run", run}, {"stage", about[0].second}, {"object", about[1].second}, {"attempt", attempt}});
  co_return true;
}

asio::awaitable<bool> run_index::shrink(std::string by, std::string run, std::uint64_t expected, run_fact fact) {
  auto message = message_of(by, run, expected, fact);
  message.head.emplace_back(shrunk_fact, "true");
  message.rollup = true;
  co_return co_await store(std::move(run), std::move(message), std::move(fact), true);
}

asio::awaitable<bool> run_index::store(std::string run, bus::publication message, run_fact fact, bool shrunk) {
  auto stored = co_await context_.bus.publish(std::move(message));
  if (!stored) {
    if (stored.error().kind != bus::failure::wrong_sequence) throw std::runtime_error("run " + run + ": " + stored.error().text);
    if (stored.error().actual) co_await catch_up(run, *stored.error().actual);
    co_return false;
  }
  auto* before = find(run);
  if (!before || before->sequence < stored->sequence) put(run, {std::move(fact.state), stored->sequence, shrunk, 0}, true);
  co_return true;
}

asio::awaitable<bool> run_index::order(std::string by, std::string run, run_order what) {
  auto now = context_.time.now();
  run_fact fact{.event = run_due{},
                .state = {.run = run, .cluster = context_.cluster, .order = std::move(what), .ordered_at = now, .changed_at = now}};
  co_return co_await write(std::move(by), std::move(run), 0, std::move(fact));
}

asio::awaitable<void> run_index::catch_up(std::string const& run, std::uint64_t actual) {
  auto* before = find(run);
  if (!before || before->sequence < actual) co_return co_await view_.until(actual);
  if (before->sequence == actual) co_return;
  // The known fact is from a stream that has been lost since.
  auto last = co_await context_.bus.last(std::string(subjects::runs), subjects::run(context_.cluster, run));
  drop(run);
  if (last && *last) take(run, &**last);
}

}  // namespace kopiur::controller
