#include "common/testing/test/toy.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"

namespace kopiur::testing::toy {

namespace {

using namespace std::chrono_literals;
using asio::awaitable;

struct claim {
  std::string owner;
  int version = 0;
};

struct store {
  world& home;
  settings const& rules;
  std::map<int, claim> claims{};
  std::map<int, std::string> acted{};
  std::map<std::string, int> starts{};

  bool claim_it(int job, std::string const& who, int expected) {
    auto& held = claims[job];
    if (held.version != expected) return false;
    held = {who, expected + 1};
    return true;
  }
  bool act(int job, std::string const& who) {
    auto [first, fresh] = acted.emplace(job, who);
    if (!fresh && first->second != who)
      home.violate("acted twice", "Job " + std::to_string(job) + " by " + first->second + " and " + who + ".");
    return true;
  }
};

class worker {
 public:
  worker(process& self, store& all) : self_(self), all_(all), place_(self.home().faults().place(self.name())) {}

  awaitable<void> handle(int job) {
    auto held = co_await ask<claim>("read", job, [all = &all_, job] { return all->claims[job]; });
    if (!held) co_return;
    if (all_.rules.planted == bug::acts_before_claiming && held->owner.empty()) co_await act(job);
    if (held->owner.empty()) {
      auto won = co_await ask<bool>("claim", job,
                                    [all = &all_, job, who = self_.name(), v = held->version] { return all->claim_it(job, who, v); });
      if (won ? !*won : all_.rules.planted != bug::trusts_silence) co_return;  // lost or unknown: the next round reads again
    } else if (held->owner != self_.name()) {
      co_return;
    }
    co_await act(job);
  }

 private:
  awaitable<void> act(int job) {
    co_await ask<bool>("act", job, [all = &all_, job, who = self_.name()] { return all->act(job, who); });
  }
  template <class T, class Effect>
  awaitable<std::optional<T>> ask(char const* verb, int job, Effect effect) {
    auto subject = std::to_string(job);
    co_return co_await call<T>({self_, place_, all_.rules.calls, 300ms, verb, subject},
                               [effect]() -> std::optional<T> { return effect(); });
  }

  process& self_;
  store& all_;
  site& place_;
};

awaitable<void> handle_all(worker& one, sim_clock& time, dice order, int jobs) {
  for (int i = 0; i < jobs * 3; ++i) {
    co_await one.handle(static_cast<int>(order.below(static_cast<std::uint64_t>(jobs))));
    co_await time.sleep_for(order.between(0ms, 5ms));
  }
  while (true)  // until all is done: the owner of a claim must also act
    for (int job = 0; job < jobs; ++job) {
      co_await one.handle(job);
      co_await time.sleep_for(1s);
    }
}

/// Two children, so that a crash hits a nursery with work in progress.
awaitable<void> work(process& self, store& all) {
  sim_clock time(self);
  worker one(self, all);
  auto order = self.home().fork(self.name() + std::to_string(++all.starts[self.name()]));
  app::nursery children(self.loop().get_executor());
  for (int i = 0; i < 2; ++i) children.spawn(handle_all(one, time, dice(order.roll()), all.rules.jobs));
  co_await children.join();
}

}  // namespace

outcome play(world_options const& options, settings const& rules) {
  world home(options);
  store all{home, rules};
  std::map<std::string, std::shared_ptr<process>> running;
  auto launch = [&](std::string const& name) { running[name] = home.start(name, [&](process& self) { return work(self, all); }); };
  home.on_end([&](std::string const& name, std::string const&) { home.at(home.now() + 50ms, [&, name] { launch(name); }); });
  auto when = home.fork("crashes");
  for (std::string name : {"worker-1", "worker-2", "worker-3"}) {
    launch(name);
    for (int i = 0; i < rules.crashes; ++i)
      home.trouble(home.now() + when.between(1ms, 3s), "crash", [&, name] { home.kill(*running[name]); });
  }
  home.run_until(options.start + 15s);
  return {home.violated(), all.acted, home.hash(), home.steps(), home.faults().counts()};
}

}  // namespace kopiur::testing::toy
