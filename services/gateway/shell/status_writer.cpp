#include "services/gateway/shell/status_writer.hpp"

#include "common/bus/dead_letters.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

constexpr std::size_t objects_at_a_time = 1024, written_at_a_time = 16;
/// Several services report on a new object: their first fragments, and the receipt of a run that starts at once, become one write.
constexpr duration together = 50ms;
constexpr duration rest = 1s, soon = 20ms;
constexpr duration retry_dead_letter = 5s;
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
      loop_(loop),
      work_slots_(loop, objects_at_a_time),
      write_slots_(loop, written_at_a_time),
      workers_(loop),
      more_(loop),
      started_over_(std::move(started_over)) {}

proto::status_fragment status_writer::kept_fragment::decoded() const {
  return text.empty() ? proto::status_fragment{} : json::read<proto::status_fragment>(text).value();
}

/// Another service states a different phase of the same object: a deletion is reported by a separate fragment.
bool status_writer::is_another_phase(std::map<std::string, kept_fragment> const& fragments, proto::status_fragment const& now) {
  auto* phase = now.status.find("phase");
  return phase && std::ranges::any_of(fragments, [&](auto const& kept) {
           auto const fragment = kept.second.decoded();
           auto* theirs = fragment.uid == now.uid ? fragment.status.find("phase") : nullptr;
           return theirs && *theirs != *phase;
         });
}

awaitable<void> status_writer::run() {
  workers_.spawn(follow());
  workers_.spawn(dispatch());
  co_await workers_.join();
}

void status_writer::touch(object_key key, bool at_once) {
  auto [dirty, fresh] = dirty_.try_emplace(key, at_once);
  dirty->second |= at_once;
  auto working = at_once ? in_work_.find(key) : in_work_.end();
  if (working != in_work_.end()) working->second.notify();
  if (!fresh) return;
  queue_.push_back(std::move(key));
  more_.notify();
}

void status_writer::seen(json::value const& object) {
  auto key = key_of(object);
  if (fragments_.contains(key)) touch(std::move(key));
}

void status_writer::gone(proto::object_ref const& object) {
  object_key key{object.kind, object.namespace_, object.name};
  if (fragments_.contains(key)) touch(std::move(key));
}

void status_writer::live(proto::object_ref const& object, json::value status) {
  object_key key{object.kind, object.namespace_, object.name};
  proto::status_fragment fragment{.uid = object.uid, .status = std::move(status)};
  fragments_[key][std::string(live_fragment)] = {.uid = object.uid, .text = json::write(fragment)};
  touch(std::move(key));
}

awaitable<void> status_writer::follow() {
  auto feed = ports_.bus.follow(std::string(subjects::status), {subjects::status_fragment(ports_.name, "*", "*", "*", "*")});
  for (;;) {
    auto item = co_await feed->next();
    if (auto* message = std::get_if<bus::stored>(&item)) {
      take(*message);
    } else if (std::holds_alternative<bus::restarted>(item)) {
      fragments_.clear(), dirty_.clear(), queue_.clear();
      complete_ = false;
      started_over_();
    } else {
      complete_ = true;
      more_.notify();
    }
  }
}

void status_writer::take(bus::stored const& message) {
  auto key = key_of_subject(message.subject);
  auto service = std::string(subjects::part(message.subject, 7));
  if (message.body.empty()) {
    if (auto there = fragments_.find(key); there != fragments_.end() && there->second.erase(service) && there->second.empty())
      fragments_.erase(there);
    return;
  }
  auto read = json::read<proto::status_fragment>(message.body);
  if (!read) {
    workers_.spawn(store_dead_letter(message, read.error().text()));
    return;
  }
  auto& fragments = fragments_[key];
  auto& last = fragments[service];
  bool at_once = is_news(last.decoded(), *read) || (last.text.empty() && is_another_phase(fragments, *read));
  last = {.uid = std::move(read->uid), .text = message.body, .sequence = message.sequence};
  touch(std::move(key), at_once);
}

// An object that already has a worker is written by that worker.
awaitable<void> status_writer::dispatch() {
  for (;;) {
    auto seen = more_.epoch();
    while (complete_ && !queue_.empty()) {
      auto slot = co_await work_slots_.take();
      if (queue_.empty()) break;  // the feed started over
      auto key = std::move(queue_.front());
      queue_.pop_front();
      if (in_work_.try_emplace(key, loop_).second) workers_.spawn(work_on(std::move(key), std::move(slot)));
    }
    co_await more_.wait(seen);
  }
}

awaitable<void> status_writer::work_on(object_key key, app::semaphore::permit) {
  auto& news = in_work_.at(key);
  bool first = true;
  for (auto dirty = dirty_.find(key); dirty != dirty_.end(); dirty = dirty_.find(key)) {
    if (std::exchange(first, false) && !dirty->second) co_await pause(news, together);
    if (!complete_ || !dirty_.erase(key)) break;
    std::optional writing(co_await write_slots_.take());
    auto length = co_await write(key);
    writing.reset();
    auto now = dirty_.find(key);
    bool hurry = length == rest && now != dirty_.end() && now->second;
    if (!hurry) co_await pause(news, length);
  }
  in_work_.erase(key);
}

awaitable<void> status_writer::pause(app::event& news, duration length) {
  if (length > duration(0)) co_await app::first_of(ports_.time.sleep_for(length), news.wait(news.epoch()));
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
    if (!fragments_.contains(key)) co_return duration(0);
    if (auto done = co_await write_from(key, std::move(object))) co_return *done;
    touch(std::move(key), true);  // it changed during the write
    co_return soon;
  } catch (std::exception const& e) {
    if (app::is_cancelled(std::current_exception())) throw;
    failed = e.what();
  }
  journal.warning("status.failed", {{"object", key.text()}, {"why", failed}});
  touch(std::move(key));
  co_return rest;
}

bool status_writer::all_for(object_key const& key, std::string_view uid) const {
  auto there = fragments_.find(key);
  return there != fragments_.end() && std::ranges::all_of(there->second, [&](auto const& one) { return one.second.uid == uid; });
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
  for (auto const& [service, one] : fragments_.at(key)) fragments.emplace(service, one.decoded());
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
  for (auto const& [service, one] : fragments_[key])
    if (one.uid != uid) stale.emplace_back(service, one.sequence);
  for (auto const& [service, sequence] : stale) {
    if (service == live_fragment) {
      fragments_[key].erase(service);
      continue;
    }
    auto done = co_await clear(subjects::status_fragment(ports_.name, key.kind, key.namespace_, key.name, service), sequence);
    if (!done && done.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(done.error().text);
    if (auto there = fragments_[key].find(service); done && there != fragments_[key].end() && there->second.sequence == sequence)
      fragments_[key].erase(there);
  }
  if (fragments_[key].empty()) fragments_.erase(key);
}

// A view has no delivery to reject, so the writer creates the dead letter. Its subject is cleared afterwards, or the next gateway would
// store the dead letter again.
awaitable<void> status_writer::store_dead_letter(bus::stored message, std::string why) {
  journal.warning("status.unreadable", {{"subject", message.subject}, {"why", why}});
  auto letter = bus::dead_letter(proto::dead_letter_store().prefix, message, {std::string(subjects::status), "gateway", 1, std::move(why)});
  for (;; co_await ports_.time.sleep_for(retry_dead_letter)) {
    if (!co_await ports_.bus.publish(letter)) continue;
    if (ports_.counted)
      ports_.counted->add(bus::failures_metric, bus::failures_help, {{"stream", std::string(subjects::status)}, {"consumer", "gateway"}});
    auto done = co_await clear(message.subject, message.sequence);
    if (done || done.error().kind == bus::failure::wrong_sequence) co_return;
  }
}

// Clears the subject, unless it has a newer message.
awaitable<bus::result<bus::receipt>> status_writer::clear(std::string subject, std::uint64_t sequence) {
  co_return co_await ports_.bus.publish(
      {.subject = std::move(subject), .body = "", .head = {}, .id = {}, .expected = sequence, .ttl = tombstone_kept, .rollup = false});
}

}  // namespace kopiur::gateway
