#include "services/gateway/shell/status_writer.hpp"

#include "common/bus/dead_letters.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

constexpr std::size_t written_at_a_time = 32;
/// Several services report on a new object: their first fragments, and the receipt of a run that starts at once, become one write.
constexpr duration together = 50ms;
constexpr duration rest = 1s, soon = 20ms;
constexpr duration retry_after = 5s;
constexpr std::chrono::seconds tombstone_kept = 7 * 24h;
constexpr std::string_view live_fragment = "gateway";  // sorts before the services that report the end

// kopiur.v1.status.<cluster>.<kind>.<ns>.<name>.<service>
object_key key_of_subject(std::string_view subject) {
  auto ns = subjects::part(subject, 5);
  return {std::string(subjects::part(subject, 4)), ns == "-" ? "" : subjects::name(ns), subjects::name(subjects::part(subject, 6))};
}

/// True for a fragment that ends a pause: a receipt, for which the run's Job waits (decisions.md section 3: that a Restore is committed,
/// what a Backup is resolved to), or another phase, for which users wait. An object's first phase is not urgent, and its receipt may follow
/// within milliseconds.
bool is_news(proto::status_fragment const& before, proto::status_fragment const& now) {
  auto differs = [&](std::string_view member, bool from_nothing) {
    auto *was = before.status.find(member), *is = now.status.find(member);
    return is && (was ? *was != *is : from_nothing);
  };
  return differs("execution", true) || differs("resolved", true) || differs("phase", false);
}

}  // namespace

status_writer::status_writer(ports ports, asio::any_io_executor loop, std::function<void()> started_over)
    : ports_(std::move(ports)),
      queue_(ports_.time, loop, written_at_a_time, [](object_key const& key) { return key.namespace_; }),
      workers_(loop),
      started_over_(std::move(started_over)) {}

proto::status_fragment status_writer::decoded(object_key const& key, kept_fragment const& one) const {
  return one.packed.empty() ? proto::status_fragment{} : json::read<proto::status_fragment>(texts_.at(key.kind).unpack(one.packed)).value();
}

/// Another service states a different phase of the same object: a deletion is reported by a separate fragment.
bool status_writer::is_another_phase(object_key const& key, proto::status_fragment const& now) const {
  auto* phase = now.status.find("phase");
  return phase && std::ranges::any_of(objects_.at(key).fragments, [&](auto const& kept) {
           auto const fragment = decoded(key, kept.second);
           auto* theirs = fragment.uid == now.uid ? fragment.status.find("phase") : nullptr;
           return theirs && *theirs != *phase;
         });
}

awaitable<void> status_writer::run() {
  workers_.spawn(follow());
  workers_.spawn(queue_.run([this](object_key key) { return work_on(std::move(key)); }));
  co_await workers_.join();
}

/// Requests a write that is not urgent, after a delay that gathers further changes and once the object has rested.
void status_writer::touch(object_key const& key) {
  auto there = objects_.find(key);
  if (there == objects_.end()) return;
  queue_.add_after(key, std::max(together, there->second.rests_until - ports_.time.steady()), app::urgency::background);
}

void status_writer::seen(json::value const& object) { touch(key_of(object)); }

void status_writer::gone(proto::object_ref const& object) { touch(key_of(object)); }

void status_writer::live(proto::object_ref const& object, json::value status) {
  auto key = key_of(object);
  proto::status_fragment fragment{.uid = object.uid, .status = std::move(status)};
  objects_[key].fragments[std::string(live_fragment)] = {.uid = object.uid, .packed = texts_[key.kind].pack(json::write(fragment))};
  touch(key);
}

awaitable<void> status_writer::follow() {
  auto feed = ports_.bus.follow(std::string(subjects::status), {subjects::status_fragment(ports_.name, "*", "*", "*", "*")});
  for (;;) {
    auto item = co_await feed->next();
    if (auto* message = std::get_if<bus::stored>(&item)) {
      take(*message);
    } else if (std::holds_alternative<bus::restarted>(item)) {
      objects_.clear();
      complete_ = false;
      started_over_();
    } else {
      complete_ = true;
      for (auto& [key, _] : objects_) queue_.add(key, app::urgency::background);
    }
  }
}

void status_writer::take(bus::stored const& message) {
  auto key = key_of_subject(message.subject);
  auto service = std::string(subjects::part(message.subject, 7));
  if (message.body.empty()) {
    auto there = objects_.find(key);
    if (there != objects_.end() && there->second.fragments.erase(service) && there->second.fragments.empty()) objects_.erase(there);
    return;
  }
  if (is_retired_reporter(service)) return workers_.spawn(withdraw(message.subject, message.sequence));
  auto read = json::read<proto::status_fragment>(message.body);
  if (!read) {
    workers_.spawn(store_dead_letter(message, read.error().text()));
    return;
  }
  auto& last = objects_[key].fragments[service];
  bool at_once = is_news(decoded(key, last), *read) || (last.packed.empty() && is_another_phase(key, *read));
  last = {.uid = std::move(read->uid), .packed = texts_[key.kind].pack(message.body), .sequence = message.sequence};
  if (!complete_) return;  // at the end of the stream, every object is requested
  if (at_once)
    queue_.add(key);
  else
    touch(key);
}

awaitable<void> status_writer::work_on(object_key key) {
  if (!complete_) co_return;
  auto rests = co_await write(key);
  if (auto there = objects_.find(key); there != objects_.end()) there->second.rests_until = ports_.time.steady() + rests;
}

awaitable<duration> status_writer::write(object_key key) {
  std::string failed;
  try {
    // The watched copy saves a request. If it is outdated, its write is refused; if no write was needed because of that, seen() will be
    // called with the newer object. Fragments are dropped only after a live read.
    for (auto known = ports_.cluster.known(key); known && all_for(key, uid_of(*known));) {
      auto version = std::string(version_of(*known));
      if (auto done = co_await write_from(key, std::move(*known))) co_return *done;
      known = ports_.cluster.known(key);
      if (known && version_of(*known) == version) break;  // it was outdated, and no newer copy is known
    }
    auto object = co_await read(key);
    co_await drop_stale(key, std::string(uid_of(object)));
    if (!objects_.contains(key)) co_return duration(0);
    if (auto done = co_await write_from(key, std::move(object))) co_return *done;
    queue_.add_after(key, soon);  // it changed during the write
    co_return soon;
  } catch (std::exception const& e) {
    if (app::is_cancelled(std::current_exception())) throw;
    failed = e.what();
  }
  journal.warning("status.failed", {{"object", key.text()}, {"why", failed}});
  queue_.add_after(key, rest);
  co_return rest;
}

bool status_writer::all_for(object_key const& key, std::string_view uid) const {
  auto there = objects_.find(key);
  return there != objects_.end() && std::ranges::all_of(there->second.fragments, [&](auto const& one) { return one.second.uid == uid; });
}

/// Null: it does not exist.
awaitable<json::value> status_writer::read(object_key const& key) {
  auto object = co_await ports_.cluster.read({key.kind, key.namespace_, key.name, ""});
  if (object) co_return std::move(*object);
  if (object.error().code != proto::answer_code::NotFound) throw std::runtime_error(object.error().message);
  co_return json::value();
}

awaitable<std::optional<duration>> status_writer::write_from(object_key const& key, json::value object) {
  status_fragments fragments;
  for (auto const& [service, one] : objects_.at(key).fragments) fragments.emplace(service, decoded(key, one));
  auto status = compose_status(object, fragments, ports_.time.now());
  if (!status) co_return duration(0);
  auto done = co_await ports_.cluster.write_status(std::move(object), std::move(*status));
  if (!done && (done.error().code == proto::answer_code::NotFound || done.error().code == proto::answer_code::Conflict))
    co_return std::nullopt;
  if (!done) throw std::runtime_error(done.error().message);
  ++writes_;
  if (ports_.counted) ports_.counted->add("kopiur_gateway_status_writes_total", "Writes of an object's status.", {{"kind", key.kind}});
  co_return rest;
}

// Removes fragments for another uid than the object's (empty: deleted) from the stream, unless the subject has a newer message.
awaitable<void> status_writer::drop_stale(object_key key, std::string uid) {
  std::vector<std::pair<std::string, std::uint64_t>> stale;
  for (auto const& [service, one] : objects_[key].fragments)
    if (one.uid != uid) stale.emplace_back(service, one.sequence);
  for (auto const& [service, sequence] : stale) {
    bool kept = service != live_fragment;
    auto done = kept ? co_await clear(subjects::status_fragment(ports_.name, key.kind, key.namespace_, key.name, service), sequence)
                     : bus::result<bus::receipt>();
    if (!done && done.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(done.error().text);
    auto& fragments = objects_[key].fragments;
    if (auto there = fragments.find(service); done && there != fragments.end() && there->second.sequence == sequence)
      fragments.erase(there);
  }
  if (objects_[key].fragments.empty()) objects_.erase(key);
}

awaitable<void> status_writer::withdraw(std::string subject, std::uint64_t sequence) {
  for (;; co_await ports_.time.sleep_for(retry_after)) {
    auto done = co_await clear(subject, sequence);
    if (done || done.error().kind == bus::failure::wrong_sequence) co_return;
  }
}

// A view has no delivery to reject, so the writer creates the dead letter. Its subject is cleared afterwards, or the next gateway would
// store the dead letter again.
awaitable<void> status_writer::store_dead_letter(bus::stored message, std::string why) {
  journal.warning("status.unreadable", {{"subject", message.subject}, {"why", why}});
  auto letter = bus::dead_letter(proto::dead_letter_store().prefix, message, {std::string(subjects::status), "gateway", 1, std::move(why)});
  for (;; co_await ports_.time.sleep_for(retry_after)) {
    if (!co_await ports_.bus.publish(letter)) continue;
    if (ports_.counted)
      ports_.counted->add(bus::failures_metric, bus::failures_help, {{"stream", std::string(subjects::status)}, {"consumer", "gateway"}});
    co_return co_await withdraw(message.subject, message.sequence);
  }
}

// Clears the subject, unless it has a newer message.
awaitable<bus::result<bus::receipt>> status_writer::clear(std::string subject, std::uint64_t sequence) {
  co_return co_await ports_.bus.publish(
      {.subject = std::move(subject), .body = "", .head = {}, .id = {}, .expected = sequence, .ttl = tombstone_kept, .rollup = false});
}

}  // namespace kopiur::gateway
