#include "common/testing/memory_port.hpp"

#include <boost/asio.hpp>

namespace kopiur::testing {

using bus::failure;

namespace {

/// Time limit of one try, pause between two, and limit of all tries, modelled on the real port.
constexpr duration shortest_answer{250}, longest_answer{5000};
constexpr duration shortest_pause{50}, longest_pause{1000};
constexpr duration patience{30'000};

/// The next item that arrived; waits forever.
template <class T, class Box>
asio::awaitable<T> take(std::shared_ptr<Box> from) {
  while (from->arrived.empty()) co_await from->who.home().wait(from->who, [&](wait_id id) { from->waiting.push_back(id); });
  auto item = std::move(from->arrived.front());
  from->arrived.pop_front();
  co_return item;
}

class memory_worker final : public bus::worker {
 public:
  memory_worker(bus_net& net, bus_net::line& line, bus_net::desk& desk, std::shared_ptr<work_box> box)
      : net_(net), line_(line), desk_(desk), box_(std::move(box)) {}
  /// Returns unsettled messages to other workers at once; after a crash the ack wait does that.
  ~memory_worker() override {
    if (!box_->who.alive()) return;
    for (auto const& [sequence, ticket] : std::map(box_->taken)) retry({{.sequence = sequence}, ticket, 1}, duration(0));
    for (auto const& each : std::exchange(box_->arrived, {})) retry(each, duration(0));
  }

  asio::awaitable<bus::delivery> next() override {
    auto got = co_await take<bus::delivery>(box_);
    box_->taken[got.message.sequence] = got.ticket;
    co_return got;
  }
  void ack(bus::delivery const& what) override { settle(what, {settlement::kind::acked, duration(0), {}}); }
  void retry(bus::delivery const& what, duration delay) override { settle(what, {settlement::kind::again, delay, {}}); }
  void reject(bus::delivery const& what, std::string reason) override {
    settle(what, {settlement::kind::rejected, duration(0), std::move(reason)});
  }
  void progress(bus::delivery const& what) override { settle(what, {settlement::kind::in_progress, duration(0), {}}); }

 private:
  void settle(bus::delivery const& what, settlement settlement) {
    if (box_->who.alive()) net_.settle(desk_, *box_, line_, what, std::move(settlement));
  }

  bus_net& net_;
  bus_net::line& line_;
  bus_net::desk& desk_;
  std::shared_ptr<work_box> box_;  // shared with items in flight to it
};

class memory_feed final : public bus::feed {
 public:
  explicit memory_feed(std::shared_ptr<feed_box> box) : box_(std::move(box)) {}
  asio::awaitable<bus::feed_item> next() override { return take<bus::feed_item>(box_); }

 private:
  std::shared_ptr<feed_box> box_;  // shared with items in flight to it
};

class memory_listener final : public bus::listener {
 public:
  explicit memory_listener(std::shared_ptr<listen_box> box) : box_(std::move(box)) {}
  asio::awaitable<bus::stored> next() override { return take<bus::stored>(box_); }

 private:
  std::shared_ptr<listen_box> box_;  // shared with items in flight to it
};

}  // namespace

memory_port::memory_port(process& who, bus_net& net)
    : who_(who),
      net_(net),
      line_(net.line_of(who.name())),
      requests_(who.home().faults().place(who.name() + "/bus requests")),
      answers_(who.home().faults().place(who.name() + "/bus answers")),
      deliveries_(who.home().faults().place(who.name() + "/bus deliveries")),
      feeds_(who.home().faults().place(who.name() + "/bus feeds")),
      outbox_(std::make_shared<std::deque<bus::publication>>()) {}

/// Like the real port: retries under the same id until an answer comes or the limit is reached.
template <class T>
asio::awaitable<bus::result<T>> memory_port::request(char const* verb, std::string what, operation<T> run, int* tries) {
  auto& home = who_.home();
  auto until = home.now() + patience;
  auto pause = shortest_pause;
  for (int count = 1; home.now() < until; ++count) {
    if (tries) *tries = count;
    // A broken connection is detected sooner than a lost answer.
    caller from{who_, requests_, net_.faults().calls, std::min(until - home.now(), home.chance().between(shortest_answer, longest_answer)),
                verb, what};
    auto answer = co_await call<bus::result<T>>(from, [net = &net_, line = &line_, run]() -> std::optional<bus::result<T>> {
      if (net->silent(*line)) return std::nullopt;
      return run(net->server());
    });
    if (answer) co_return *std::move(answer);
    co_await home.sleep_until(who_, home.now() + std::min(pause, until - home.now()));
    pause = std::min(2 * pause, longest_pause);
  }
  co_return std::unexpected(no_answer(verb, what));
}

bus::error memory_port::no_answer(char const* verb, std::string const& what) {
  auto kind = who_.home().chance().below(2) ? failure::timed_out : failure::disconnected;
  return {kind,
          std::string("The bus did not answer: ") + verb + " " + what + ". It may have happened; look again before doing it once more.",
          {}};
}

/// Errors that a server returns before it stores anything.
std::optional<bus::error> memory_port::refused_at_once(std::string const& subject) {
  auto blow = draw(std::array{chance{net_.faults().refused, "refused"}, chance{net_.faults().full, "full"}});
  if (!blow) return {};
  if (blow->which == 0) return bus::error{failure::refused, "The bus refused to store " + subject + ": permissions violation.", {}};
  return bus::error{failure::limit, "The bus is full: " + subject + " was not stored. Try again later.", {}};
}

std::optional<fault_ledger::blow> memory_port::draw(std::span<chance const> chances) {
  return who_.alive() ? who_.home().draw(answers_, chances) : std::nullopt;
}

asio::awaitable<bus::result<bus::receipt>> memory_port::publish(bus::publication what) {
  if (auto no = refused_at_once(what.subject)) co_return std::unexpected(*std::move(no));
  bool named = !what.id.empty();
  if (what.expected && !named) what.id = net_.next_id();
  auto patience_ends = who_.home().now() + patience;
  int tries = 0;
  auto message = std::make_shared<bus::publication const>(what);  // shared by tries that may still be in flight
  auto sent =
      co_await request<bus::receipt>("publish", what.subject, [message](memory_bus& server) { return server.publish(*message); }, &tries);
  // The caller may have used its own id before.
  if (!sent && sent.error().kind == failure::wrong_sequence) co_return co_await who_won(what, sent.error(), named || tries > 1);
  if (sent && draw(std::array{chance{net_.faults().ambiguous, "ambiguous"}})) {
    co_await who_.home().sleep_until(who_, patience_ends);
    co_return std::unexpected(no_answer("publish", what.subject));
  }
  co_return sent;
}

/// The compare-and-set may have lost against an earlier try of the same write.
asio::awaitable<bus::result<bus::receipt>> memory_port::who_won(bus::publication const& what, bus::error lost, bool ours_perhaps) {
  if (ours_perhaps) {
    auto owner = [subject = what.subject](memory_bus& server) {
      auto found = server.owner(subject);
      return found ? found->config().name : std::string();
    };
    auto now = co_await request<std::optional<bus::stored>>(
        "last", what.subject, [subject = what.subject, owner](memory_bus& server) { return server.last(owner(server), subject); });
    if (now && *now && bus::header((*now)->head, "Nats-Msg-Id") == what.id)
      co_return bus::receipt{owner(net_.server()), (*now)->sequence, true};
  }
  if (draw(std::array{chance{net_.faults().blind_conflict, "blind_conflict"}})) lost.actual.reset();
  co_return std::unexpected(std::move(lost));
}

void memory_port::tell(std::string subject, std::string body, bus::headers head) {
  if (!who_.alive()) return;
  auto& home = who_.home();
  if (draw(std::array{chance{net_.faults().tell_lost, "tell_lost"}})) return;
  outbox_->push_back({.subject = std::move(subject), .body = std::move(body), .head = std::move(head)});
  auto after = home.chance().between(net_.faults().calls.fastest, net_.faults().calls.slowest);
  home.at(home.now() + after, [net = &net_, line = &line_, outbox = outbox_] {
    auto what = std::move(outbox->front());
    outbox->pop_front();
    if (!net->silent(*line)) net->told(what);
  });
}

asio::awaitable<bus::result<std::optional<bus::stored>>> memory_port::last(std::string stream, std::string subject) {
  return request<std::optional<bus::stored>>("last", subject,
                                             [stream, subject](memory_bus& server) { return server.last(stream, subject); });
}
asio::awaitable<bus::result<std::optional<bus::stored>>> memory_port::at(std::string stream, std::uint64_t sequence) {
  return request<std::optional<bus::stored>>("at", stream, [stream, sequence](memory_bus& server) { return server.at(stream, sequence); });
}
asio::awaitable<bus::result<bool>> memory_port::erase(std::string stream, std::uint64_t sequence) {
  return request<bool>("erase", stream, [stream, sequence](memory_bus& server) { return server.erase(stream, sequence); });
}
asio::awaitable<bus::result<bus::stream_info>> memory_port::ensure(bus::stream_config config) {
  auto name = config.name;
  return request<bus::stream_info>("ensure", name, [config](memory_bus& server) { return server.ensure(config); });
}
asio::awaitable<bus::result<void>> memory_port::ensure(bus::consumer_config config) {
  auto name = config.name;
  return request<void>("ensure", name, [config](memory_bus& server) { return server.ensure(config); });
}
asio::awaitable<bus::result<bus::stream_info>> memory_port::info(std::string stream) {
  return request<bus::stream_info>("info", stream, [stream](memory_bus& server) { return server.info(stream); });
}

std::unique_ptr<bus::worker> memory_port::work(std::string stream, std::string durable, int window) {
  auto box = std::shared_ptr<work_box>(new work_box{{who_, deliveries_, {}, {}}, window, {}, {}});
  return std::make_unique<memory_worker>(net_, line_, net_.join(stream, durable, box), box);
}

std::unique_ptr<bus::feed> memory_port::follow(std::string stream, std::vector<std::string> filters) {
  auto box = std::shared_ptr<feed_box>(new feed_box{{who_, feeds_, {}, {}}, std::move(stream), std::move(filters), {}, 0, false, false});
  net_.follow(box);
  return std::make_unique<memory_feed>(std::move(box));
}

std::unique_ptr<bus::listener> memory_port::listen(std::string subject) {
  auto box = std::shared_ptr<listen_box>(new listen_box{{who_, feeds_, {}, {}}, std::move(subject)});
  net_.listen(box);
  return std::make_unique<memory_listener>(std::move(box));
}

}  // namespace kopiur::testing
