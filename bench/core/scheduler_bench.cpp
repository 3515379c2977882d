#include <benchmark/benchmark.h>
#include <malloc.h>

#include "services/scheduler/core/plan.hpp"

using namespace kopiur;
using namespace kopiur::scheduler;

namespace {

constexpr int fleet = 100'000;
instant const now = instant_from("2026-11-21T18:00:00Z").value();

std::string uid_of(int i) { return "9b1c6b0e-5d0a-4a57-9a3f-" + std::to_string(100'000'000'000 + i); }

proto::schedule_rules rules_of(int i) {
  static constexpr std::array zones{"UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo"};
  return {.cron = i % 3 ? "H H(1-5) * * *" : "H/15 * * * *",
          .jitter = std::chrono::minutes(10),
          .timezone = zones[static_cast<std::size_t>(i) % 4]};
}

double heap_mib() { return static_cast<double>(mallinfo2().uordblks) / (1024 * 1024); }

/// The whole cost of a start: rules compiled and the first decision made, for 100,000 schedules.
void scheduler_start_of_a_fleet(benchmark::State& state) {
  for (auto _ : state) {
    auto const before = heap_mib();
    std::vector<timetable> tables;
    std::vector<schedule_state> states;
    for (int i = 0; i < fleet; ++i) {
      auto rules = rules_of(i);
      tables.push_back(timetable::compile(rules, uid_of(i)).value());
      auto d = decide(tables.back(), rules, begin(uid_of(i), now), now);
      states.push_back(std::move(d.state));
    }
    state.counters["MiB"] = heap_mib() - before;
    benchmark::DoNotOptimize(states.back());
  }
  state.SetItemsProcessed(state.iterations() * fleet);
}
BENCHMARK(scheduler_start_of_a_fleet)->Unit(benchmark::kMillisecond);

/// The next slots of 100,000 schedules that are compiled already.
void scheduler_next_of_a_fleet(benchmark::State& state) {
  std::vector<timetable> tables;
  for (int i = 0; i < fleet; ++i) tables.push_back(timetable::compile(rules_of(i), uid_of(i)).value());
  for (auto _ : state)
    for (auto const& t : tables) benchmark::DoNotOptimize(t.begins(*t.next(now)));
  state.SetItemsProcessed(state.iterations() * fleet);
}
BENCHMARK(scheduler_next_of_a_fleet)->Unit(benchmark::kMillisecond);

void scheduler_decide(benchmark::State& state) {
  auto rules = rules_of(1);
  auto t = timetable::compile(rules, uid_of(1)).value();
  auto s = decide(t, rules, begin(uid_of(1), now), now).state;
  for (auto _ : state) benchmark::DoNotOptimize(decide(t, rules, s, now));
}
BENCHMARK(scheduler_decide);

}  // namespace
