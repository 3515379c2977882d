#include "services/gateway/shell/mirror_loop.hpp"

#include "proto/codec.hpp"
#include "proto/envelope.hpp"
#include "proto/kinds.hpp"
#include "proto/subjects.hpp"
#include "services/controller/core/reference.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/shell/perform.hpp"

namespace kopiur::gateway {

using namespace std::chrono_literals;
namespace subjects = proto::subjects;

namespace {

constexpr std::chrono::seconds tombstone_kept = 7 * 24h;

bus::publication to_publish(mirror_message message, std::string const& life) {
  return {.subject = std::move(message.subject),
          .body = std::move(message.body),
          .head = std::move(message.headers),
          .id = message.id + "." + life,
          .expected = {},
          .ttl = {},
          .rollup = false};
}

}  // namespace

mirror_loop::version mirror_loop::version_in(bus::headers const& head) {
  return {std::string(bus::header(head, uid_header)), std::string(bus::header(head, version_header)),
          std::string(bus::header(head, form_header))};
}

mirror_loop::mirror_loop(ports ports, asio::any_io_executor loop, listeners tell)
    : ports_(std::move(ports)), tell_(std::move(tell)), again_(loop) {}

awaitable<void> mirror_loop::run() {
  for (;;) {
    auto seen = again_.epoch();
    co_await read_what_stands();
    co_await app::first_of(pump(), again_.wait(seen));
    journal.warning("mirror.again", {{"cluster", ports_.name}});
  }
}

awaitable<void> mirror_loop::read_what_stands() {
  standing_.clear(), tombstones_.clear();
  life_ = to_text(ports_.time.now());
  auto feed = ports_.bus.follow(std::string(subjects::resources), {subjects::resource(ports_.name, "*", "*", "*")});
  for (;;) {
    auto item = co_await feed->next();
    if (std::holds_alternative<bus::caught_up>(item)) co_return;
    if (std::holds_alternative<bus::restarted>(item)) standing_.clear(), tombstones_.clear();
    auto* message = std::get_if<bus::stored>(&item);
    if (!message || !object_of_subject(message->subject)) continue;
    if (message->body.empty()) {
      standing_.erase(message->subject);
      tombstones_[message->subject] = message->sequence;
    } else {
      standing_[message->subject] = {version_in(message->head), message->sequence};
    }
  }
}

awaitable<void> mirror_loop::pump() {
  if (ports_.behind) *ports_.behind = {};
  auto feed = ports_.cluster.follow();
  listing_ = true;
  told_.clear();
  for (;;) co_await take(co_await feed->next());
}

namespace {

/// The object of the change, for a sentence.
std::string subject_of(cluster_change const& change) {
  if (auto* seen = std::get_if<seen_object>(&change)) return key_of(seen->object).text();
  if (auto* gone = std::get_if<gone_object>(&change)) return gone->object.kind + " " + gone->object.namespace_ + "/" + gone->object.name;
  if (auto* kind = std::get_if<kind_seen>(&change)) return "the kind " + kind->kind;
  return "the list of all objects";
}

}  // namespace

awaitable<void> mirror_loop::take(cluster_change change) {
  if (ports_.behind) *ports_.behind = {ports_.time.now(), subject_of(change)};
  co_await tell(std::move(change));
  if (ports_.behind) *ports_.behind = {};
}

awaitable<void> mirror_loop::tell(cluster_change change) {
  if (auto* object = std::get_if<seen_object>(&change)) co_return co_await tell_object(std::move(object->object));
  if (auto* object = std::get_if<gone_object>(&change)) co_return co_await tell_gone(std::move(object->object));
  if (auto* kind = std::get_if<kind_seen>(&change)) co_return co_await tell_kind(std::move(*kind));
  if (auto* rows = std::get_if<job_rows>(&change)) co_return co_await tell_rows(std::move(*rows));
  if (auto* progress = std::get_if<job_progress>(&change)) co_return tell_progress(*progress);
  co_await tell_listed();
}

awaitable<void> mirror_loop::tell_object(json::value object) {
  if (object.text("kind") == "Job") progress_.know(object);
  tell_.seen(object);
  bool marked = is_marked(object);
  version now{std::string(uid_of(object)), std::string(version_of(object)), marked ? "judged" : ""};
  auto key = key_of(object);
  auto subject = subjects::resource(ports_.name, key.kind, key.namespace_, key.name);
  if (listing_) told_.insert(subject);
  auto standing = standing_.find(subject);
  bool stood_as_stub = standing != standing_.end() && standing->second.version.form == "stub";
  // Before the message is made: at a start nearly all objects stand already.
  if (standing != standing_.end() && (standing->second.version == now || (stood_as_stub && standing->second.version.is_version_of(now))))
    co_return;
  object = ports_.cluster.marks().judged(std::move(object));
  auto message = mirrored(ports_.name, object, ports_.time.now());
  if (marked) message.headers.emplace_back(form_header, "judged");
  if (object.find(kopiur::kubernetes::too_deep))
    co_return co_await tell_stub(std::move(object), {"TooDeep", "The object has more levels than kopiur reads", "Make it flatter."});
  auto bytes = bus::bytes_on_wire(message.body, message.headers);
  auto sequence = co_await publish(to_publish(std::move(message), life_), now.uid);
  if (sequence) {
    standing_[subject] = {std::move(now), *sequence};
    if (stood_as_stub) co_await say_mirrored(object, "True", "Mirrored", "The object fits the bus again.");
  } else if (sequence.error().kind == bus::failure::too_large) {
    co_await tell_stub(std::move(object),
                       {"TooLarge", "The object has " + std::to_string(bytes) + " bytes, more than the bus takes in a message",
                        "Make it smaller, or raise max_payload of nats-server."});
  }
}

/// For an object that cannot be published whole: later changes are not blocked, and an Event and a condition inform its owner.
awaitable<void> mirror_loop::tell_stub(json::value object, unfit why) {
  auto message = mirrored_stub(ports_.name, object, ports_.time.now());
  message.headers.emplace_back(form_header, "stub");
  auto now = version_in(message.headers);
  auto subject = message.subject;
  journal.error("mirror.stub", {{"subject", subject}, {"why", why.what}});
  auto sequence = co_await publish(to_publish(std::move(message), life_), now.uid);
  if (!sequence) co_return;
  standing_[subject] = {std::move(now), *sequence};
  auto sentence = why.what + ": kopiur acts as if it did not exist, and of a Backup it knows what the status says. " + why.advice;
  (void)co_await perform(ports_,
                         proto::record_event{.object = ref_of(object), .type = "Warning", .reason = why.reason, .message = sentence});
  co_await say_mirrored(object, "False", why.reason, std::move(sentence));
}

/// The gateway's own status fragment, for kopiur's own kinds only.
awaitable<void> mirror_loop::say_mirrored(json::value const& object, std::string status, std::string reason, std::string message) {
  if (!object.text("apiVersion").starts_with(proto::api_group)) co_return;
  proto::status_fragment claim{.uid = std::string(uid_of(object)), .made_from = {.sequence = 0, .at = ports_.time.now()}};
  claim.conditions.push_back({std::string(proto::condition_type::mirrored), std::move(status), std::move(reason), std::move(message)});
  auto key = key_of(object);
  (void)co_await publish_until_stored(
      ports_, {.subject = subjects::status_fragment(ports_.name, key.kind, key.namespace_, key.name, "gateway"),
               .body = json::write(claim),
               .head = proto::envelope("status.claimed.v1", "gateway", claim.uid + "." + reason, ports_.time.now())});
}

/// Expects the known last message of the subject, or none. Returns the new sequence. wrong_sequence: another gateway wrote there.
awaitable<bus::result<std::uint64_t>> mirror_loop::publish(bus::publication message, std::string uid) {
  auto standing = standing_.find(message.subject);
  auto tombstone = tombstones_.find(message.subject);
  message.expected = standing != standing_.end() ? standing->second.sequence : tombstone != tombstones_.end() ? tombstone->second : 0;
  auto stored = co_await publish_until_stored(ports_, message);
  auto overtaken = [&] { return !stored && stored.error().kind == bus::failure::wrong_sequence; };
  if (overtaken() && message.expected == 0) {  // the last message may be the tombstone of an earlier object
    auto last = co_await ports_.bus.last(std::string(subjects::resources), message.subject);
    bool free = last && *last && (*last)->body.empty() && bus::header((*last)->head, uid_header) != uid;
    if (free) message.expected = (*last)->sequence, stored = co_await publish_until_stored(ports_, message);
  }
  if (overtaken()) {
    journal.warning("mirror.overtaken", {{"subject", message.subject}});
    again();
  }
  if (!stored) co_return std::unexpected(std::move(stored).error());
  co_return stored->sequence;
}

awaitable<void> mirror_loop::tell_gone(proto::object_ref object) {
  auto message = tombstone(ports_.name, object, ports_.time.now());
  told_.erase(message.subject);
  if (standing_.contains(message.subject)) {
    auto publication = to_publish(std::move(message), life_);
    publication.ttl = tombstone_kept;
    auto subject = publication.subject;
    co_await publish(std::move(publication), object.uid);
    standing_.erase(subject);
  }
  if (object.kind == "Job") progress_.forget(object.name);
  tell_.gone(object);
}

/// Tells of mirrored objects that do not exist any more.
awaitable<void> mirror_loop::tell_stale(std::function<bool(std::string const& subject, proto::object_ref const&)> is_stale) {
  std::vector<proto::object_ref> stale;
  for (auto const& [subject, last] : standing_) {
    auto object = *object_of_subject(subject);
    object.uid = last.version.uid;
    if (is_stale(subject, object)) stale.push_back(std::move(object));
  }
  for (auto& object : stale) co_await tell_gone(object);
}

/// While a kind is not listed, its mirrored objects stay.
awaitable<void> mirror_loop::tell_kind(kind_seen seen) {
  if (seen.presence == proto::kind_presence::Listed)
    co_await tell_stale([&](auto&, proto::object_ref const& object) {
      return object.kind == seen.kind && !controller::is_kind_state(object) &&
             !ports_.cluster.known({object.kind, object.namespace_, object.name});
    });
  auto message = mirrored_kind(ports_.name, seen.kind, seen.presence, ports_.time.now());
  auto now = version_in(message.headers);
  auto subject = message.subject;
  auto standing = standing_.find(subject);
  if (standing != standing_.end() && standing->second.version == now) co_return;
  auto sequence = co_await publish(to_publish(std::move(message), life_), now.uid);
  if (sequence) standing_[subject] = {now, *sequence};
  journal.info("mirror.kind", {{"cluster", ports_.name}, {"kind", seen.kind}, {"presence", now.resource_version}});
}

awaitable<void> mirror_loop::tell_listed() {
  co_await tell_stale([&](std::string const& subject, proto::object_ref const& object) {
    return !told_.contains(subject) && !proto::is_foreign(object.kind) && !controller::is_kind_state(object);
  });
  listing_ = false;
  told_.clear(), tombstones_.clear();
  auto since = json::value(json::object{{"since", to_text(ports_.time.now())}});
  co_await publish_until_stored(ports_, {.subject = subjects::resources_listed(ports_.name),
                                         .body = json::dump(since),
                                         .head = {},
                                         .id = {},
                                         .expected = {},
                                         .ttl = {},
                                         .rollup = false});
  journal.info("mirror.listed", {{"cluster", ports_.name}, {"objects", std::to_string(standing_.size())}});
}

awaitable<void> mirror_loop::tell_rows(job_rows rows) {
  auto key = rows.run + "-" + std::to_string(rows.attempt) + "-" + std::to_string(rows.page);
  co_await publish_until_stored(ports_, {.subject = subjects::answer(ports_.name, "gateway", "rows", key),
                                         .body = json::write(rows.rows),
                                         .head = {{"ce-specversion", "1.0"},
                                                  {"ce-type", "rows.listed.v1"},
                                                  {"ce-id", "rows." + key},
                                                  {"ce-source", "kopiur/" + ports_.name + "/gateway"}},
                                         .id = "rows." + key,
                                         .expected = {},
                                         .ttl = {},
                                         .rollup = false});
}

void mirror_loop::tell_progress(job_progress const& said) {
  ports_.bus.tell(subjects::live(ports_.name, said.run), json::dump(json::object{{"progress", said.progress}}));
  for (auto& each : progress_.take(said.run, said.progress, ports_.time.now())) tell_.progressed(std::move(each));
}

}  // namespace kopiur::gateway
