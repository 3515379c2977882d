#include "common/testing/memory_bus.hpp"

#include <algorithm>

#include "common/bus/dead_letters.hpp"
#include "common/json/value.hpp"

namespace kopiur::testing {

using bus::failure;
using retention = bus::stream_config::retention_policy;

namespace {
std::unexpected<bus::error> no_such(std::string const& stream) {
  return refusal(failure::not_found, "There is no stream " + stream + " on the bus.");
}

/// An advisory as the server publishes it. `kind` is the last part of its type; `reason` is empty when it has none.
bus::publication advisory(std::string_view subject, std::string_view kind, std::string const& stream, std::string const& consumer,
                          std::uint64_t sequence, std::int64_t deliveries, std::string const& reason = {}) {
  auto said = json::value::make_object();
  said.set("type", "io.nats.jetstream.advisory.v1." + std::string(kind));
  said.set("stream", stream);
  said.set("consumer", consumer);
  said.set("stream_seq", sequence);
  said.set("deliveries", deliveries);
  if (!reason.empty()) said.set("reason", reason);
  return {.subject = std::string(subject) + "." + stream + "." + consumer, .body = dump(said)};
}

bool overlap_any(std::vector<std::string> const& some, std::vector<std::string> const& others) {
  if (some.empty() || others.empty()) return true;
  return std::ranges::any_of(some,
                             [&](auto const& a) { return std::ranges::any_of(others, [&](auto const& b) { return overlap(a, b); }); });
}
}  // namespace

memory_bus::shelf* memory_bus::shelf_of(std::string const& stream) {
  auto found = shelves_.find(stream);
  if (found == shelves_.end()) return nullptr;
  found->second.stream.expire(now_().steady);
  return &found->second;
}

memory_stream* memory_bus::find(std::string const& stream) {
  auto found = shelf_of(stream);
  return found ? &found->stream : nullptr;
}

memory_stream* memory_bus::owner(std::string_view subject) {
  for (auto& [name, each] : shelves_)
    if (each.stream.owns(subject)) return find(name);
  return nullptr;
}

memory_consumer* memory_bus::consumer(std::string const& stream, std::string const& durable) {
  auto from = shelf_of(stream);
  if (!from) return nullptr;
  auto found = from->consumers.find(durable);
  return found == from->consumers.end() ? nullptr : &found->second;
}

bus::result<bus::receipt> memory_bus::publish(bus::publication const& what) {
  if (bus::bytes_on_wire(what.body, what.head) > max_payload)
    return refusal(above_payload, "No message is larger than " + std::to_string(max_payload) + " bytes.");
  auto stream = owner(what.subject);
  if (!stream) return refusal(failure::no_responders, "No stream owns the subject " + what.subject + ".");
  if (keeps_ && !keeps_(what)) return bus::receipt{.stream = stream->config().name, .sequence = stream->last_sequence()};
  auto stored = stream->store(what, now_(), ids_first);
  if (stored && !stored->duplicate)
    for (auto& each : told_) each(*stream, *stream->at(stored->sequence));
  return stored;
}

bus::result<std::optional<bus::stored>> memory_bus::last(std::string const& stream, std::string const& subject) {
  auto from = find(stream);
  if (!from) return no_such(stream);
  auto found = from->last(subject);
  return found ? std::optional(*found) : std::nullopt;
}

bus::result<std::optional<bus::stored>> memory_bus::at(std::string const& stream, std::uint64_t sequence) {
  auto from = find(stream);
  if (!from) return no_such(stream);
  auto found = from->at(sequence);
  return found ? std::optional(*found) : std::nullopt;
}

bus::result<bool> memory_bus::erase(std::string const& stream, std::uint64_t sequence) {
  auto from = find(stream);
  if (!from) return no_such(stream);
  return from->erase(sequence);
}

bus::result<std::size_t> memory_bus::purge(std::string const& stream, std::string const& filter) {
  auto from = find(stream);
  if (!from) return no_such(stream);
  return from->purge(filter);
}

bus::result<bus::stream_info> memory_bus::info(std::string const& stream) {
  auto from = find(stream);
  if (!from) return no_such(stream);
  return from->info();
}

std::string memory_bus::new_created() {
  auto text = to_text(std::chrono::floor<std::chrono::seconds>(now_().wall));
  auto fraction = std::to_string(++streams_made_);
  text.insert(text.size() - 1, "." + std::string(9 - std::min<std::size_t>(9, fraction.size()), '0') + fraction);
  return text;
}

std::optional<bus::error> memory_bus::objection(bus::stream_config const& config) const {
  auto refuse = [&](std::string why) {
    return bus::error{failure::refused, "Stream " + config.name + " cannot be made like this: " + why, {}};
  };
  if (config.name.empty() || config.subjects.empty()) return refuse("it needs a name and subjects.");
  if (config.discard_new_per_subject && (config.discard != bus::stream_config::discard_policy::fresh || config.max_per_subject <= 0))
    return refuse("discard new per subject needs discard new and a maximum per subject.");
  if (config.max_age > duration::zero() && config.duplicates > config.max_age)
    return refuse("the window for duplicates is longer than its maximum age.");
  for (auto const& [name, each] : shelves_)
    if (name != config.name && overlap_any(each.stream.config().subjects, config.subjects))
      return refuse("its subjects overlap with those of stream " + name + ".");
  auto known = shelves_.find(config.name);
  if (known != shelves_.end() && known->second.stream.config().retention != config.retention)
    return refuse("the retention of a stream cannot be changed.");
  return {};
}

bus::result<bus::stream_info> memory_bus::ensure(bus::stream_config const& config) {
  if (auto no = objection(config)) return std::unexpected(*std::move(no));
  auto known = shelf_of(config.name);
  if (known)
    known->stream.update(config);
  else
    known = &shelves_.emplace(config.name, shelf{memory_stream(config, new_created()), {}}).first->second;
  if (made_) made_(config.name);
  return known->stream.info();
}

bus::result<void> memory_bus::objection(bus::consumer_config const& config, shelf const& shelf) const {
  auto refuse = [&](std::string why) {
    return refusal(failure::refused, "Durable " + config.name + " of stream " + config.stream + " cannot be made like this: " + why);
  };
  if (config.max_deliver > 0 && static_cast<int>(config.backoff.size()) > config.max_deliver)
    return refuse("it has more steps of backoff than deliveries.");
  for (auto one = config.filters.begin(); one != config.filters.end(); ++one)
    if (std::any_of(config.filters.begin(), one, [&](auto const& earlier) { return overlap(earlier, *one); }))
      return refuse("its filters overlap.");
  if (shelf.stream.config().retention != retention::workqueue) return {};
  for (auto const& [name, each] : shelf.consumers)
    if (name != config.name && overlap_any(each.config().filters, config.filters))
      return refuse("on a work queue each subject has one consumer, and " + name + " has some of these.");
  return {};
}

bus::result<void> memory_bus::ensure(bus::consumer_config const& config) {
  auto shelf = shelf_of(config.stream);
  if (!shelf) return no_such(config.stream);
  if (auto fine = objection(config, *shelf); !fine) return fine;
  auto [known, fresh] = shelf->consumers.try_emplace(config.name, config);
  if (!fresh) known->second.update(config);
  if (made_) made_(config.stream);
  return {};
}

std::optional<bus::delivery> memory_bus::deliver(std::string const& stream, std::string const& durable) {
  auto from = consumer(stream, durable);
  return from ? from->next(*find(stream), now_().steady) : std::nullopt;
}

void memory_bus::lapse(std::string const& stream, std::string const& durable) {
  auto from = consumer(stream, durable);
  if (!from) return;
  for (auto const& over : from->lapse(*find(stream), now_().steady))
    // Lost unless a stream owns it.
    (void)publish(advisory(bus::max_deliveries_advisory, "max_deliver", stream, durable, over.sequence, over.deliveries));
}

void memory_bus::settle(std::string const& stream, std::string const& durable, bus::delivery const& what, settlement const& decision) {
  auto from = consumer(stream, durable);
  if (!from || find(stream)->created() != what.ticket) return;
  auto sequence = what.message.sequence;
  auto now = now_().steady;
  switch (decision.decision) {
    case settlement::kind::again:
      return from->again_at(sequence, now + decision.delay);
    case settlement::kind::in_progress:
      return from->progress(sequence, now);
    case settlement::kind::acked:
    case settlement::kind::rejected:
      if (!from->settle(sequence)) return;
      if (decision.decision == settlement::kind::rejected)
        (void)publish(
            advisory(bus::terminated_advisory, "terminated", stream, durable, what.message.sequence, what.attempt, decision.reason));
      if (auto found = find(stream); found->config().retention == retention::workqueue) found->erase(sequence);
  }
}

std::optional<instant> memory_bus::due(std::string const& stream, std::string const& durable) const {
  auto from = shelves_.find(stream);
  if (from == shelves_.end()) return {};
  auto found = from->second.consumers.find(durable);
  return found == from->second.consumers.end() ? std::nullopt : found->second.due();
}

void memory_bus::lose_all() {
  for (auto& [name, each] : shelves_) {
    each.stream = memory_stream(each.stream.config(), new_created());
    for (auto& [durable, consumer] : each.consumers) consumer = memory_consumer(consumer.config());
  }
}

}  // namespace kopiur::testing
