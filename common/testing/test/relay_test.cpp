#include <gtest/gtest.h>

#include <boost/asio.hpp>
#include <ctime>

#include "common/app/async.hpp"
#include "common/bus/view.hpp"
#include "common/testing/memory_port.hpp"
#include "common/testing/shrink.hpp"

/// A system as heavy as the real one. Six services with three replicas each pass runs on to one another over the bus, by facts with
/// compare-and-set and commands on a work queue. Meanwhile processes crash, the bus goes down and calls fail. Each run must pass each stage
/// exactly once.
namespace kopiur::testing {
namespace {

using namespace std::chrono_literals;
using asio::awaitable;

constexpr int stages = 6, replicas = 3;

struct relay_settings {
  duration length = 10h;
  bool forgets_to_look = false;  ///< a planted bug: writes its fact without compare-and-set
};

std::string command_of(int stage, std::string_view run) { return "cmd." + std::to_string(stage) + "." + std::string(run); }
int stage_of(bus::stored const& fact) { return fact.body.empty() ? 0 : std::stoi(fact.body); }

class service {
 public:
  service(process& self, bus_net& net, int stage, relay_settings const& rules)
      : rules_(rules), stage_(stage), time_(self), bus_(self, net), facts_(bus_, time_, self.loop().get_executor(), "facts", {"run.>"}) {}

  awaitable<void> run(asio::any_io_executor loop) {
    app::nursery all(loop);
    all.spawn(facts_.run());
    all.spawn(work());
    all.spawn(tick());
    co_await all.join();
  }

 private:
  awaitable<void> work() {
    auto from = bus_.work("commands", "stage-" + std::to_string(stage_), 8);
    while (true) {
      auto got = co_await from->next();
      auto done = co_await handle(got.message.subject.substr(command_of(stage_, "").size()));
      done ? from->ack(got) : from->retry(got, 5s);
    }
  }
  /// Repeats lost work: when the last fact is old, the next stage is due, whichever process wrote it.
  awaitable<void> tick() {
    while (true) {
      co_await time_.sleep_for(30s);
      std::vector<std::string> stuck;
      for (auto const& [subject, fact] : facts_.all())
        if (stage_of(fact) == stage_ - 1 && time_.now() - fact.time > 1min) stuck.push_back(subject.substr(4));
      for (auto const& run : stuck) co_await handle(run);
    }
  }
  awaitable<bool> handle(std::string run) {
    auto last = co_await bus_.last("facts", "run." + run);
    if (!last) co_return false;
    if (!*last || stage_of(**last) < stage_ - 1) co_return true;
    if (stage_of(**last) == stage_ - 1) {
      bus::publication fact{.subject = "run." + run, .body = std::to_string(stage_)};
      if (!rules_.forgets_to_look) fact.expected = (*last)->sequence;
      auto wrote = co_await bus_.publish(std::move(fact));
      if (!wrote) co_return false;
    }
    if (stage_ == stages) co_return true;
    auto told = co_await bus_.publish({.subject = command_of(stage_ + 1, run), .body = run, .id = run + "." + std::to_string(stage_ + 1)});
    co_return told || told.error().kind == bus::failure::limit;
  }

  relay_settings const& rules_;
  int stage_;
  sim_clock time_;
  memory_port bus_;
  bus::view facts_;
};

class relay {
 public:
  relay(world_options const& options, relay_settings rules) : rules_(rules), home(options), net(home, faults()) {
    using enum bus::stream_config::discard_policy;
    using enum bus::stream_config::retention_policy;
    EXPECT_TRUE(net.server().ensure(bus::stream_config{.name = "facts", .subjects = {"run.>"}, .max_age = 48h}));
    EXPECT_TRUE(net.server().ensure(bus::stream_config{.name = "commands",
                                                       .subjects = {"cmd.>"},
                                                       .retention = workqueue,
                                                       .discard = fresh,
                                                       .max_per_subject = 1,
                                                       .discard_new_per_subject = true}));
    home.on_end([this](std::string const& name, std::string const&) { home.at(home.now() + 2s, [this, name] { launch(name); }); });
    for (int stage = 1; stage <= stages; ++stage) {
      auto name = "stage-" + std::to_string(stage);
      EXPECT_TRUE(net.server().ensure(bus::consumer_config{
          .stream = "commands", .name = name, .filters = {command_of(stage, "*")}, .max_deliver = 1000, .backoff = {5s, 30s, 10min}}));
      for (int replica = 0; replica < replicas; ++replica) launch(name + "/" + std::to_string(replica));
    }
    plan();
    home.watch([this] { check(); });
  }
  void run() { home.run_until(home.now() + rules_.length + 1h); }
  int started() const { return started_; }
  int finished() {
    int count = 0;
    for (auto const& [sequence, fact] : net.server().find("facts")->all()) count += stage_of(fact) == stages;
    return count;
  }

 private:
  relay_settings rules_;

 public:
  world home;
  bus_net net;

 private:
  static fault_plan faults() {
    return {
        .calls = {.lost_before = 0.005, .lost_after = 0.005, .late = 0.002, .twice = 0.005, .crash_before = 0.002, .crash_after = 0.002},
        .full = 0.002,
        .ambiguous = 0.002,
        .blind_conflict = 0.2,
        .settle_lost = 0.01,
        .delivery_late = 0.005,
        .redelivered = 0.02,
        .feed_late = 0.0005,
        .feed_restarted = 0.0002};
  }
  void launch(std::string const& name) {
    alive_[name] = home.start(name, [this, stage = name[6] - '0'](process& self) -> awaitable<void> {
      service mine(self, net, stage, rules_);
      co_await mine.run(self.loop().get_executor());
    });
  }
  void plan() {
    auto luck = home.fork("plan");
    auto hours = rules_.length / 1h;
    auto anywhen = [&] { return home.now() + luck.between(0h, rules_.length); };
    for (int i = 0; i < 20 * hours; ++i) home.at(anywhen(), [this] { begin(++started_); });
    for (int i = 0; i < 4 * hours; ++i)
      home.trouble(anywhen(), "crash", [this, which = luck.below(alive_.size())] {
        home.kill(*std::next(alive_.begin(), static_cast<std::ptrdiff_t>(which))->second);
      });
    for (int i = 0; i < hours; ++i) {
      home.trouble(anywhen(), "leader gap", [this] { net.gap(8s); });
      home.trouble(anywhen(), "cut off", [this, which = luck.below(alive_.size())] {
        net.cut(std::next(alive_.begin(), static_cast<std::ptrdiff_t>(which))->first, 1min);
      });
      home.trouble(anywhen(), "clock step", [this, by = luck.between(0h, 4h)] { home.step_clock(by - 2h); });
    }
  }
  void begin(int run) {
    EXPECT_TRUE(net.server().publish({.subject = "run." + std::to_string(run), .body = "0"}));
    (void)net.server().publish({.subject = command_of(1, std::to_string(run)), .body = std::to_string(run)});
  }
  /// Reads the stream, never a service: the facts of a run must increase by one.
  void check() {
    auto& facts = *net.server().find("facts");
    for (; checked_ < facts.last_sequence(); ++checked_) {
      auto fact = facts.at(checked_ + 1);
      if (!fact) continue;
      auto& last = reached_[fact->subject];
      if (stage_of(*fact) != 0 && stage_of(*fact) != last + 1)
        home.violate("stage twice", fact->subject + " went from stage " + std::to_string(last) + " to " + fact->body + ".");
      last = stage_of(*fact);
    }
  }

  std::map<std::string, std::shared_ptr<process>> alive_;
  std::map<std::string, int> reached_;
  std::uint64_t checked_ = 0;
  int started_ = 0;
};

TEST(Relay, EveryRunPassesEveryStageOnce) {
  relay all({.seed = 1}, {.length = 12h});
  auto began = std::clock();
  all.run();
  auto seconds = static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
  ASSERT_FALSE(all.home.violated()) << describe(*all.home.violated());
  EXPECT_EQ(all.started(), 240);
  EXPECT_EQ(all.finished(), 240);
  auto const& struck = all.home.faults().counts();
  for (auto what : {"lost_before", "lost_after", "late", "twice", "crash_before", "crash_after", "full", "ambiguous", "settle_lost",
                    "delivery_late", "redelivered", "feed_late", "feed_restarted", "crash", "leader gap", "cut off", "clock step"})
    EXPECT_TRUE(struck.contains(what)) << what << " never struck";
  std::cout << "12 simulated hours: " << seconds << " s of CPU, " << all.home.steps() << " steps, " << all.home.faults().struck().size()
            << " faults\n";
}

TEST(Relay, WritingWithoutLookingIsFoundAndShrunk) {
  auto play = [](world_options const& options) {
    relay all(options, {.length = 2h, .forgets_to_look = true});
    all.run();
    return all.home.violated();
  };
  auto found = find_and_shrink({}, 10, play, {.runs = 60});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seen.rule, "stage twice");
  EXPECT_LE(found->seen.faults.size(), 2u) << describe(found->seen);
}

}  // namespace
}  // namespace kopiur::testing
