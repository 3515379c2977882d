#include "e2e/simulation/story.hpp"

/// What fails: planned from the seed, or drawn at each call, so that a run can be repeated with fewer faults.
namespace kopiur::simulation {

using namespace std::chrono_literals;

void story::plan_troubles() {
  data_.faults = {.dies_before = 0.03, .dies_after = 0.03, .hangs = 0.002, .loses_result = 0.02, .fails = 0.04};
  data_.api = {.throttled = 0.002, .unsure = 0.002, .raced = 0.005};
  cluster_faults_ = {.lost_before = 0.003,
                     .lost_after = 0.003,
                     .late = 0.002,
                     .twice = 0.002,
                     .crash_before = 0.0005,
                     .crash_after = 0.0005,
                     .lateness = 20s};
  auto& bus = net_.faults();
  bus.calls = {.lost_before = 0.0007,
               .lost_after = 0.0007,
               .late = 0.0005,
               .twice = 0.0003,
               .crash_before = 0.0001,
               .crash_after = 0.0001,
               .lateness = 20s};
  bus.blind_conflict = 0.02, bus.settle_lost = 0.001, bus.delivery_late = 0.001, bus.redelivered = 0.001, bus.feed_late = 0.0002,
  bus.feed_restarted = 0.0001;
  plan_crashes();
  plan_outages();
}

/// Plans this many per hour, at random times.
void story::plan(double an_hour, char const* name, std::function<testing::world::event(testing::dice&)> what) {
  auto hours = std::chrono::duration<double, std::ratio<3600>>(options_.length).count();
  auto luck = home_.fork(name);
  auto count = static_cast<int>(an_hour * hours + static_cast<double>(luck.below(1000)) / 1000);
  for (int i = 0; i < count; ++i) home_.trouble(home_.now() + luck.between(5min, options_.length), name, what(luck));
}

std::string story::victim(std::uint64_t which) const {
  return std::next(alive_.begin(), static_cast<std::ptrdiff_t>(which % alive_.size()))->first;
}

void story::plan_crashes() {
  plan(4, "crash", [this](testing::dice& luck) {
    return [this, which = luck.roll()] {
      auto& who = alive_[victim(which)];
      if (who->alive()) home_.kill(*who);
    };
  });
  plan(0.7, "stall", [this](testing::dice& luck) {
    return [this, which = luck.roll()] {
      auto& who = alive_[victim(which)];
      if (who->alive()) trouble_until(40s), home_.stall(*who, home_.now() + 40s);
    };
  });
  plan(0.25, "clock step", [this](testing::dice& luck) {
    return [this, by = luck.between(0h, 2h) - 1h] {
      home_.step_clock(by);
      if (by < 0h) clock_goes_back(-by);
    };
  });
}

void story::take_bus_down() {
  trouble_until(3min);
  bus_down_until_ = home_.now() + 3min;
  net_.gap(3min);
}

/// Loses streams, durables, facts and leases at once: services recover what the objects state, the rest is lost.
void story::lose_bus() {
  trouble_until(2min);
  slots_.clear(), fired_.clear(), ordered_.clear();
  waited_.clear();  // the start of each wait is lost, too
  std::erase_if(requests_, [](auto& one) { return !one.second.accepted; });
  bus_lost_at_ = home_.wall();
  net_.lose_all();
}

void story::plan_outages() {
  plan(0.05, "bus lost", [this](testing::dice&) { return [this] { lose_bus(); }; });
  plan(0.7, "leader gap", [this](testing::dice&) { return [this] { trouble_until(8s), net_.gap(8s); }; });
  plan(0.7, "cut off",
       [this](testing::dice& luck) { return [this, which = luck.roll()] { trouble_until(1min), net_.cut(victim(which), 1min); }; });
  plan(0.15, "bus down", [this](testing::dice&) { return [this] { take_bus_down(); }; });
  plan(0.4, "API away", [this](testing::dice&) {
    return [this] {
      trouble_until(3min);
      data_.away_until = home_.now() + 3min;
    };
  });
  plan(0.3, "API throttles", [this](testing::dice&) {
    return [this] {
      trouble_until(1min);
      data_.throttled_until = home_.now() + 1min;
    };
  });
  plan(0.3, "stale watches", [this](testing::dice&) {
    return [this] {
      trouble_until(30s);
      data_.stale_until = home_.now() + 30s;
    };
  });
  plan(0.5, "watches expire", [this](testing::dice&) { return [this] { data_.expire_watches(); }; });
  plan(0.5, "repository away", [this](testing::dice& luck) {
    return [this, ada = luck.chance(0.5)] {
      auto& where = data_.repository_at(ada ? "/ada" : "/bob");
      where.reachable = false;
      home_.at(home_.now() + 7min, [&where] { where.reachable = true; });
    };
  });
}

}  // namespace kopiur::simulation
