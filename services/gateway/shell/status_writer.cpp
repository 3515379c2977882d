#include "services/gateway/shell/status_writer.hpp"

#include "proto/codec.hpp"
#include "proto/subjects.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

constexpr duration round_length = 250ms;
constexpr std::uint64_t rounds_of_rest = 4;  // one second
constexpr std::chrono::seconds tombstone_kept = 7 * 24h;
constexpr std::string_view live_share = "gateway";  // sorts before the services that say how it ended

// kopiur.v1.status.<cluster>.<kind>.<ns>.<name>.<service>
object_key key_of_subject(std::string_view subject) {
  auto ns = subjects::part(subject, 5);
  return {std::string(subjects::part(subject, 4)), ns == "-" ? "" : subjects::name(ns), subjects::name(subjects::part(subject, 6))};
}

}  // namespace

status_writer::status_writer(ports to, asio::any_io_executor loop, std::function<void()> started_over)
    : to_(std::move(to)), more_(loop), started_over_(std::move(started_over)) {}

awaitable<void> status_writer::run() { co_await app::first_of(follow(), write_dirty()); }

void status_writer::gone(proto::object_ref const& object) {
  object_key key{object.kind, object.namespace_, object.name};
  if (!claims_.contains(key)) return;
  dirty_.insert(std::move(key));
  more_.notify();
}

void status_writer::live(proto::object_ref const& object, json::value status) {
  object_key key{object.kind, object.namespace_, object.name};
  claims_[key][std::string(live_share)] = {{.uid = object.uid, .status = std::move(status)}, 0};
  dirty_.insert(std::move(key));
  more_.notify();
}

awaitable<void> status_writer::follow() {
  auto feed = to_.bus.follow(std::string(subjects::status), {subjects::status_fragment(to_.name, "*", "*", "*", "*")});
  for (;;) {
    auto item = co_await feed->next();
    if (auto* message = std::get_if<bus::stored>(&item)) {
      take(*message);
    } else if (std::holds_alternative<bus::restarted>(item)) {
      claims_.clear(), dirty_.clear();
      complete_ = false;
      started_over_();
    } else {
      complete_ = true;
    }
    more_.notify();
  }
}

void status_writer::take(bus::stored const& message) {
  auto key = key_of_subject(message.subject);
  auto service = std::string(subjects::part(message.subject, 7));
  if (message.body.empty()) {
    if (auto there = claims_.find(key); there != claims_.end() && there->second.erase(service) && there->second.empty())
      claims_.erase(there);
    return;
  }
  auto read = json::read<proto::status_claim>(message.body);
  if (!read) {
    journal.warning("status.unreadable", {{"subject", message.subject}, {"why", read.error().text()}});
    return;
  }
  claims_[key][service] = {std::move(*read), message.sequence};
  dirty_.insert(std::move(key));
}

bool status_writer::rests(object_key const& key) const {
  auto last = written_.find(key);
  return last != written_.end() && round_ - last->second < rounds_of_rest;
}

awaitable<void> status_writer::write_dirty() {
  for (;;) {
    auto seen = more_.epoch();
    auto now = complete_ ? dirty_ : std::set<object_key>();
    for (auto const& key : now) {
      if (rests(key)) continue;
      dirty_.erase(key);
      if (co_await write(key)) written_[key] = round_;
    }
    if (written_.empty() && (dirty_.empty() || !complete_)) {
      co_await more_.wait(seen);
    } else {
      co_await to_.time.sleep_for(round_length);
      ++round_;
      std::erase_if(written_, [&](auto const& each) { return round_ - each.second >= rounds_of_rest; });
    }
  }
}

// True when something was written.
awaitable<bool> status_writer::write(object_key key) {
  std::string failed;
  try {
    auto object = co_await to_.world.read({key.kind, key.namespace_, key.name, ""});
    if (!object && object.error().code == proto::answer_code::NotFound) object = json::value();
    if (!object) throw std::runtime_error(object.error().message);
    auto uid = std::string(uid_of(*object));
    co_await take_off(key, uid);
    auto there = claims_.find(key);
    if (there == claims_.end()) co_return false;
    status_claims claims;
    for (auto const& [service, one] : there->second) claims.emplace(service, one.claim);
    auto status = compose_status(*object, claims, to_.time.now());
    if (!status) co_return false;
    auto done = co_await to_.world.write_status(*object, std::move(*status));
    if (!done && (done.error().code == proto::answer_code::NotFound || done.error().code == proto::answer_code::Conflict)) {
      dirty_.insert(std::move(key));  // it was changed while we wrote: read again in the next round
      co_return false;
    }
    if (!done) throw std::runtime_error(done.error().message);
    ++writes_;
    if (to_.counted) to_.counted->add("kopiur_gateway_status_writes_total", "Writes of an object's status.", {{"kind", key.kind}});
    co_return true;
  } catch (std::exception const& e) {
    if (app::is_cancelled(std::current_exception())) throw;
    failed = e.what();
  }
  journal.warning("status.failed", {{"object", key.text()}, {"why", failed}});
  dirty_.insert(std::move(key));
  co_return true;  // rests a second
}

// Claims for another uid than the object has (empty: it is gone) leave the stream, unless something newer stands there by now.
awaitable<void> status_writer::take_off(object_key key, std::string uid) {
  std::vector<std::pair<std::string, std::uint64_t>> stale;
  for (auto const& [service, one] : claims_[key])
    if (one.claim.uid != uid) stale.emplace_back(service, one.sequence);
  for (auto const& [service, sequence] : stale) {
    if (service == live_share) {
      claims_[key].erase(service);
      continue;
    }
    auto done = co_await to_.bus.publish({.subject = subjects::status_fragment(to_.name, key.kind, key.namespace_, key.name, service),
                                          .body = "",
                                          .head = {},
                                          .id = {},
                                          .expected = sequence,
                                          .ttl = tombstone_kept,
                                          .rollup = false});
    if (!done && done.error().kind != bus::failure::wrong_sequence) throw std::runtime_error(done.error().text);
    if (auto there = claims_[key].find(service); done && there != claims_[key].end() && there->second.sequence == sequence)
      claims_[key].erase(there);
  }
  if (claims_[key].empty()) claims_.erase(key);
}

}  // namespace kopiur::gateway
