#include "common/testing/bus_net.hpp"

#include <array>

#include "common/bus/dead_letters.hpp"
#include "common/bus/subject.hpp"

namespace kopiur::testing {

namespace {

/// After a heartbeat is missing for this long, every reader starts again.
constexpr duration patience{10'000};
/// Messages that a listener keeps; the oldest are dropped first.
constexpr std::size_t listener_room = 1000;

template <class Box>
void prune(std::vector<std::weak_ptr<Box>>& boxes) {
  std::erase_if(boxes, [](auto const& each) { return each.expired(); });
}

}  // namespace

bus_net::bus_net(world& home, fault_plan faults)
    : home_(home), faults_(faults), server_([this] { return server_time{home_.now(), home_.wall()}; }) {
  server_.ids_first = home.fork("ids first").below(2);
  server_.on_stored([this](memory_stream const& in, bus::stored const& message) { stored(in, message); });
  server_.on_made([this](std::string const& stream) {
    for (auto& each : feeds_[stream])
      if (auto box = each.lock()) poke(box, lag());
    poke_desks_of(stream);
  });
}

void bus_net::stored(memory_stream const& in, bus::stored const& message) {
  for (auto& each : feeds_[in.config().name])
    if (auto box = each.lock(); box && !box->poked && under_any(box->filters, message.subject)) poke(box, lag());
  poke_desks_of(in.config().name);
  hear(message);
}

void bus_net::poke_desks_of(std::string const& stream) {
  for (auto desk = desks_.lower_bound({stream, ""}); desk != desks_.end() && desk->second.stream == stream; ++desk) poke(desk->second);
}

void bus_net::told(bus::publication const& what) {
  if (home_.now() < silent_until_) return;
  if (server_.owner(what.subject))
    (void)server_.publish(what);  // no caller waits for the answer
  else
    hear({what.subject, what.body, what.head, 0, home_.wall()});
}

void bus_net::hear(bus::stored const& message) {
  prune(listeners_);
  for (auto& each : listeners_) {
    auto box = each.lock();
    if (!box || !box->who.alive() || !bus::matches(box->subject, message.subject)) continue;
    if (box->arrived.size() >= listener_room) box->arrived.pop_front();
    box->put(message);
  }
}

bus_net::desk& bus_net::join(std::string const& stream, std::string const& durable, std::shared_ptr<work_box> const& box) {
  auto& it = desks_[{stream, durable}];
  it.stream = stream;
  it.durable = durable;
  prune(it.hands);
  it.hands.push_back(box);
  poke(it);
  return it;
}

void bus_net::poke(desk& it) {
  if (std::exchange(it.poked, true)) return;
  home_.at(home_.now() + lag(), [this, &it] {
    it.poked = false;
    serve(it);
  });
}

void bus_net::serve(desk& it) {
  if (home_.now() < silent_until_) return;  // poked again when the silence is over
  server_.lapse(it.stream, it.durable);
  while (auto hand = free_hand(it)) {
    auto next = server_.deliver(it.stream, it.durable);
    if (!next) break;
    send(it, hand, *std::move(next));
  }
  set_timer(it);
}

std::shared_ptr<work_box> bus_net::free_hand(desk& it) {
  std::array<std::shared_ptr<work_box>, 16> free;
  std::size_t count = 0;
  for (auto& each : it.hands)
    if (auto box = each.lock(); box && box->who.alive() && box->has_room() && !silent(line_of(box->who.name())) && count < free.size())
      free[count++] = std::move(box);
  return count == 0 ? nullptr : free[home_.chance().below(count)];
}

void bus_net::send(desk& it, std::shared_ptr<work_box> const& receiver, bus::delivery what) {
  std::array<chance, 2> const chances{{{faults_.delivery_late, "delivery_late"}, {faults_.redelivered, "redelivered"}}};
  auto blow = home_.draw(receiver->place, chances);
  auto after = lag();
  if (blow && blow->which == 0) after += lateness(*blow);
  if (blow && blow->which == 1)  // half of them while the first delivery is in progress
    home_.at(home_.now() + (blow->luck % 2 ? 2 * lag() : lateness(*blow)), [this, &it, what] {
      server_.settle(it.stream, it.durable, what, {settlement::kind::again, duration(0), {}});
      serve(it);
    });
  receiver->coming.push_back(std::move(what));
  home_.at(home_.now() + after, [weak = std::weak_ptr(receiver)] {
    auto box = weak.lock();
    if (!box || !box->who.alive()) return;
    auto first = std::move(box->coming.front());
    box->coming.pop_front();
    box->who.home().note(box->who.name(), "delivered", first.message.subject, first.attempt > 1 ? "not for the first time" : "");
    box->put(std::move(first));
  });
}

void bus_net::set_timer(desk& it) {
  auto due = server_.due(it.stream, it.durable);
  if (!due || (it.timer && *it.timer <= *due)) return;
  it.timer = due;
  home_.at(*due, [this, &it, when = *due] {
    if (it.timer != when) return;  // an earlier one was set and has done this work
    it.timer.reset();
    serve(it);
  });
}

void bus_net::settle(desk& it, work_box& box, line const& from, bus::delivery what, settlement decision) {
  std::array<chance, 1> const chances{{{faults_.settle_lost, "settle_lost"}}};
  if (decision.decision != settlement::kind::in_progress) box.taken.erase(what.message.sequence);
  if (home_.draw(box.place, chances)) return poke(it);
  home_.at(home_.now() + lag(), [this, &it, &from, what = std::move(what), entry = std::move(decision)] {
    if (silent(from)) return;  // the message is delivered again
    if (entry.decision == settlement::kind::rejected && !store_dead_letter(it, what, entry.reason)) return;
    server_.settle(it.stream, it.durable, what, entry);
    serve(it);
  });
}

/// Stores the dead letter, with the body that the consumer may have left out. False: it could not.
bool bus_net::store_dead_letter(desk const& it, bus::delivery const& what, std::string const& reason) {
  bool left_out = bus::body_size(what.message) > what.message.body.size();
  bus::result<std::optional<bus::stored>> message = what.message;
  if (left_out) message = server_.at(it.stream, what.message.sequence);
  if (!message || !*message) return message.has_value();
  auto copied =
      server_.publish(bus::dead_letter(dead_prefix, **message, {it.stream, it.durable, static_cast<std::uint64_t>(what.attempt), reason}));
  return copied || copied.error().kind == bus::failure::no_responders;
}

void bus_net::follow(std::shared_ptr<feed_box> const& box) {
  auto& all = feeds_[box->stream];
  prune(all);
  all.push_back(box);
  poke(box, lag());
}

void bus_net::poke(std::shared_ptr<feed_box> const& box, duration after) {
  if (std::exchange(box->poked, true)) return;
  home_.at(home_.now() + after, [this, weak = std::weak_ptr(box)] {
    auto it = weak.lock();
    if (!it) return;
    it->poked = false;
    if (it->who.alive()) fill(it);
  });
}

void bus_net::fill(std::shared_ptr<feed_box> const& box) {
  auto from = server_.find(box->stream);
  if (!from || silent(line_of(box->who.name()))) return;  // poked again when the bus comes back
  std::array<chance, 2> const chances{{{faults_.feed_late, "feed_late"}, {faults_.feed_restarted, "feed_restarted"}}};
  auto blow = home_.draw(box->place, chances);
  if (blow && blow->which == 0) return poke(box, lateness(*blow));
  if (blow && blow->luck % 2) start_over(*box, *from, blow->luck % 7);  // interrupted while it started over
  if (blow || box->over || box->created != from->created()) return start_over(*box, *from, SIZE_MAX);
  while (auto next = from->first_after(box->cursor, box->filters)) {
    box->cursor = next->sequence;
    box->put(*next);
  }
  box->cursor = from->last_sequence();
}

void bus_net::start_over(feed_box& box, memory_stream const& from, std::size_t most) {
  if (!box.created.empty()) box.put(bus::restarted{});
  box.created = from.created();
  box.over = false;
  std::uint64_t last = 0;
  for (auto sequence : from.last_of_each(box.filters)) {
    if (most-- == 0) return;
    box.put(*from.at(sequence));
    last = sequence;
  }
  if (most == 0) return;
  box.put(bus::caught_up{last});
  box.cursor = from.last_sequence();
}

void bus_net::gap(duration length) {
  silent_until_ = std::max(silent_until_, home_.now() + length);
  home_.note("bus", "gap", to_text(length));
  home_.at(home_.now() + length, [this, length] {
    if (home_.now() >= silent_until_) come_back(length, nullptr);
  });
}

void bus_net::cut(std::string const& process_name, duration length) {
  auto& it = line_of(process_name);
  it.cut_until = std::max(it.cut_until, home_.now() + length);
  home_.note(process_name, "cut off from the bus", to_text(length));
  home_.at(home_.now() + length, [this, process_name, length] { come_back(length, &process_name); });
}

void bus_net::lose_all() {
  server_.lose_all();
  home_.note("bus", "lost all streams");
  come_back(duration(0), nullptr);
}

void bus_net::come_back(duration silence, std::string const* process_name) {
  for (auto& [stream, boxes] : feeds_)
    for (auto& each : boxes) {
      auto box = each.lock();
      if (!box || (process_name && box->who.name() != *process_name)) continue;
      box->over |= silence > patience || (silence > duration(0) && home_.chance().below(2) == 0);
      poke(box, lag());
    }
  for (auto& [name, desk] : desks_) poke(desk);
}

}  // namespace kopiur::testing
